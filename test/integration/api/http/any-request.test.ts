import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { updateTeam } from '@pulsewire/connections';
import { useDatabase } from '../../../support/database.ts';
import { createApiHarness, type ApiHarness, type Caller } from '../support/harness.ts';

const database = useDatabase();
const nobody = '00000000-0000-4000-8000-000000000000';
/** Requests per operation; all operations together get some thousand. */
const requestsEach = 30;
let harness: ApiHarness;
let caller: Caller;
let linkToken: string;
let operations: readonly {
  readonly method: string;
  readonly path: string;
  readonly fields: readonly string[];
  readonly query: readonly string[];
}[];

interface Operation {
  readonly parameters?: readonly { readonly $ref?: string; readonly name: string; readonly in: string }[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: { readonly $ref?: string; readonly properties?: object } }>>;
  };
}

beforeAll(async () => {
  harness = await createApiHarness(database.current);
  caller = await harness.newCaller();
  await updateTeam(database.current, caller.team.teamId, { bulkOperations: true });
  const { user_id: userId } = (await caller.call('POST', '/v2/user', { client_user_id: 'someone' })).body;
  linkToken = (await caller.call('POST', '/v2/link/token', { user_id: userId })).body.link_token;
  const { body } = await harness.bare('GET', '/openapi.json');
  operations = Object.entries(body.paths as Record<string, Record<string, Operation>>).flatMap(([path, methods]) =>
    // A response to HEAD has no body that could be checked.
    Object.entries(methods)
      .filter(([method]) => method !== 'head')
      .map(([method, { parameters = [], requestBody }]) => {
        const schema = Object.values(requestBody?.content ?? {})[0]?.schema;
        const resolved = schema?.$ref === undefined ? schema : body.components.schemas[schema.$ref.split('/').at(-1) as string];
        const query = parameters
          .map((one) => (one.$ref === undefined ? one : body.components.parameters[one.$ref.split('/').at(-1) as string]))
          .filter((one) => one.in === 'query')
          .map(({ name }) => name);
        return { method: method.toUpperCase(), path, query, fields: Object.keys(resolved?.properties ?? {}) };
      }),
  );
});
afterAll(() => harness.close());

const dates = ['0001-01-01', '0050-06-01T00:00:00Z', '9999-12-31T23:59:59+00:00', '2026-02-30', '2026-03-14T10:00:00+14:00'];
const numbers = [0, -1, 1, 47.08, 2_147_483_648, 9_007_199_254_740_991, 1e300, 1e-300];
const texts = ['', '0', 'null', 'fitbit', nobody, '\0', 'a\0b', '\ud800', '🙂', "'; --", '{}', 'x'.repeat(3000), 'e30', 'W10', '__proto__'];
const hostile = fc.oneof(
  fc.constantFrom<unknown>(...dates, ...numbers, ...texts, null, true, [], {}),
  fc.string({ unit: 'binary' }),
  fc.jsonValue(),
);
const inAddress = fc.oneof(
  fc.constantFrom(...dates, ...texts).map(escaped),
  fc.constantFrom('%FF', '%ED%A0%80', '%', nobody),
  fc.string().map(escaped),
);

function escaped(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

// Headers that some code reads, and one that no code reads; values as a socket can deliver them.
const headerNames = [
  'x-service-link-token',
  'content-type',
  'x-request-id',
  'traceparent',
  'tracestate',
  'x-forwarded-for',
  'cookie',
  'accept',
  'if-none-match',
  'range',
  'user-agent',
  'content-length',
  'x-fitbit-signature',
  'x-anything',
];
const headerValues = fc.oneof(
  fc.constantFrom(
    ' ',
    '/;;',
    ',',
    '=;=',
    '"',
    '%',
    '%00',
    'a\tb',
    '\u0080\u00ff',
    '0'.repeat(8000),
    ...dates,
    nobody,
    '__proto__',
    '-1',
    'LINK TOKEN',
  ),
  fc.constantFrom(
    'application/json;',
    'application/json; charset="',
    'text/plain',
    'application/vnd.a+json',
    'multipart/form-data; boundary=',
  ),
  fc.string({ maxLength: 40 }),
);

const requests = fc.record({
  headers: fc.dictionary(fc.constantFrom(...headerNames), headerValues, { maxKeys: 3 }),
  path: fc.array(inAddress, { minLength: 3, maxLength: 3 }),
  query: fc.array(inAddress, { maxLength: 6 }),
  body: fc.array(hostile, { maxLength: 12 }),
  isRaw: fc.boolean(),
  hasKey: fc.boolean(),
});

describe('any request', () => {
  it('gets a status that the OpenAPI document lists, never a server error', { timeout: 180_000 }, async () => {
    expect(operations.length).toBeGreaterThan(70);
    for (const { method, path: template, query: names, fields } of operations)
      await fc.assert(
        fc.asyncProperty(requests, async ({ headers, path, query, body, isRaw, hasKey }) => {
          let at = 0;
          const filled = template.replaceAll(/\{\w+\}/g, () => path[at++ % path.length] || nobody);
          const pairs = query.map((value, i) => `${names[i % Math.max(1, names.length)] ?? 'x'}=${value}`);
          const object = Object.fromEntries(fields.flatMap((field, i) => (i < body.length ? [[field, body[i]]] : [])));
          const payload = method === 'GET' ? undefined : JSON.stringify(isRaw ? (body[0] ?? null) : object);
          const sent = Object.fromEntries(
            Object.entries(headers).map(([name, value]) => [name, value === 'LINK TOKEN' ? linkToken : value]),
          );
          const url = `${filled}${pairs.length > 0 ? `?${pairs.join('&')}` : ''}`;
          const { status } = await (hasKey ? caller.call : harness.bare)(method as Parameters<Caller['call']>[0], url, payload, sent);
          expect([method, template, status]).toEqual([method, template, expect.toSatisfy((one) => one < 500 || one === 501)]);
        }),
        { numRuns: requestsEach },
      );
  });
});
