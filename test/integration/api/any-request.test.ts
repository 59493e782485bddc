import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useDatabase } from '../../support/database.ts';
import { createApiStage, type ApiStage, type Caller } from './setup.ts';

const database = useDatabase();
const nobody = '00000000-0000-4000-8000-000000000000';
const timeMs = 6000;
let stage: ApiStage;
let caller: Caller;
let operations: readonly {
  readonly method: string;
  readonly path: string;
  readonly fields: readonly string[];
  readonly query: readonly string[];
}[];

interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: { readonly $ref?: string; readonly properties?: object } }>>;
  };
}

beforeAll(async () => {
  stage = await createApiStage(database.current);
  caller = await stage.newCaller();
  const { body } = await stage.bare('GET', '/openapi.json');
  operations = Object.entries(body.paths as Record<string, Record<string, Operation>>).flatMap(([path, methods]) =>
    // An answer to HEAD has no body that could be checked.
    Object.entries(methods)
      .filter(([method]) => method !== 'head')
      .map(([method, { parameters = [], requestBody }]) => {
        const schema = Object.values(requestBody?.content ?? {})[0]?.schema;
        const resolved = schema?.$ref === undefined ? schema : body.components.schemas[schema.$ref.split('/').at(-1) as string];
        const query = parameters.filter((one) => one.in === 'query').map(({ name }) => name);
        return { method: method.toUpperCase(), path, query, fields: Object.keys(resolved?.properties ?? {}) };
      }),
  );
});
afterAll(() => stage.close());

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

const requests = fc.record({
  operation: fc.nat(),
  path: fc.array(inAddress, { minLength: 3, maxLength: 3 }),
  query: fc.array(inAddress, { maxLength: 6 }),
  body: fc.array(hostile, { maxLength: 12 }),
  isRaw: fc.boolean(),
  hasKey: fc.boolean(),
});

describe('any request', () => {
  it('is answered with a status that the document names, and never with a failure of ours', { timeout: 30_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(requests, async ({ operation, path, query, body, isRaw, hasKey }) => {
        const { method, path: template, query: names, fields } = operations[operation % operations.length] as (typeof operations)[number];
        // A key that revokes itself would end the test.
        if (template.startsWith('/v2/team/api_key/')) return;
        let at = 0;
        const filled = template.replaceAll(/\{\w+\}/g, () => path[at++ % path.length] || nobody);
        const pairs = query.map((value, i) => `${names[i % Math.max(1, names.length)] ?? 'x'}=${value}`);
        const object = Object.fromEntries(fields.flatMap((field, i) => (i < body.length ? [[field, body[i]]] : [])));
        const payload = method === 'GET' ? undefined : JSON.stringify(isRaw ? (body[0] ?? null) : object);
        const reply = await (hasKey ? caller.call : stage.bare)(
          method as Parameters<Caller['call']>[0],
          `${filled}${pairs.length > 0 ? `?${pairs.join('&')}` : ''}`,
          payload,
        );
        expect([method, template, reply.status]).toEqual([method, template, expect.toSatisfy((status) => status < 500 || status === 501)]);
      }),
      { numRuns: 4000, interruptAfterTimeLimit: timeMs, markInterruptAsFailure: false },
    );
  });
});
