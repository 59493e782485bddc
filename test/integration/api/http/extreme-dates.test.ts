import { afterAll, beforeAll, expect, it } from 'vitest';
import { updateTeam } from '@pulsewire/connections';
import { loadLabData } from '@pulsewire/labs';
import { useDatabase } from '../../../support/database.ts';
import { createApiHarness, type ApiHarness, type Caller } from '../support/harness.ts';
import { appointmentBodies } from '../support/owned-appointments.ts';

interface Schema {
  readonly $ref?: string;
  readonly format?: string;
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
}

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly $ref?: string; readonly name: string; readonly in: string; readonly schema: Schema }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema; readonly examples?: object }>> };
}

const database = useDatabase();
let harness: ApiHarness;
let caller: Caller;
let document: {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
};
let ids: Readonly<Record<string, string>>;

beforeAll(async () => {
  harness = await createApiHarness(database.current);
  await loadLabData(database.current, harness.clock);
  caller = await harness.newCaller({ isSandbox: true });
  await updateTeam(database.current, caller.team.teamId, { bulkOperations: true });
  document = (await harness.bare('GET', '/openapi.json')).body;
  const { body: user } = await caller.call('POST', '/v2/user', { client_user_id: 'someone' });
  const { body: endpoint } = await caller.call('POST', '/v2/team/webhook', { url: 'https://receiver.test/hook' });
  const { body: key } = await caller.call('POST', '/v2/team/api_key', { label: 'changed' });
  ids = { user_id: user.user_id, endpoint_id: endpoint.id, key_id: key.id, resource: 'heartrate', provider: 'manual' };
});
afterAll(() => harness.close());

/** The first and last days and instants that have a name, also as other zones write them. */
const extremeDays = ['0000-01-01', '0001-01-01', '9999-12-31', '9999-12-20'];
const extremeInstants = ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00+14:00', '9999-12-31T23:59:59Z', '9999-12-31T23:59:59-14:00'];
const extremes = [...extremeDays, ...extremeInstants];

function resolved<T extends object>(given: T): T {
  const { $ref: reference } = given as { readonly $ref?: string };
  const [kind = '', name = ''] = reference?.split('/').slice(-2) ?? [];
  return reference === undefined ? given : (document.components[kind]?.[name] as T);
}

function isDate(given: Schema): boolean {
  const { format = '', anyOf = [], allOf = [] } = resolved(given);
  return format.startsWith('date') || [...anyOf, ...allOf].some(isDate);
}

/** What other fields a request needs, so that its dates are used and not only checked. */
const queries: Readonly<Record<string, string>> = {
  findCenterAppointmentSlots: 'lab=quest&zip_code=85004&radius=100&',
};

interface Place {
  readonly method: string;
  readonly url: string;
  readonly body?: object | undefined;
}

/** Every request of an operation with an extreme date in one of its fields, or in two of them. */
function requestsOf(path: string, method: string, operation: Operation): Place[] {
  const url = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? '00000000-0000-4000-8000-000000000000');
  const before = queries[operation.operationId] ?? '';
  const example = appointmentBodies[operation.operationId]?.({});
  const names = (operation.parameters ?? []).map(resolved).filter((one) => one.in === 'query' && isDate(one.schema));
  const inQuery = extremes.flatMap((text) => {
    const value = encodeURIComponent(text);
    const sets = [...names.map(({ name }) => [name]), names.map(({ name }) => name)].filter((set) => set.length > 0);
    return sets.map((set) => ({ method, url: `${url}?${before}${set.map((name) => `${name}=${value}`).join('&')}`, body: example }));
  });
  const [content] = Object.values(operation.requestBody?.content ?? {});
  const { properties = {} } = content === undefined ? {} : resolved(content.schema);
  const fields = Object.entries(properties).filter(([, schema]) => isDate(schema));
  const [sample] = Object.values((content?.examples ?? {}) as Record<string, { readonly value: object }>);
  const inBody = extremes.flatMap((text) =>
    fields.map(([name]) => ({
      method,
      url: `${url}${before === '' ? '' : `?${before}`}`,
      body: { ...sample?.value, ...example, [name]: text },
    })),
  );
  return [...inQuery, ...inBody];
}

it('the first and the last dates in any query or body are answered or refused, never an error', { timeout: 120_000 }, async () => {
  const wrong: string[] = [];
  let asked = 0;
  for (const [path, methods] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(methods))
      for (const { url, body } of requestsOf(path, method, operation)) {
        const reply = await caller.call(method.toUpperCase() as 'GET', url, body);
        asked += 1;
        if (reply.status >= 500)
          wrong.push(`${method} ${url} ${JSON.stringify(body ?? null)}: ${reply.status} ${JSON.stringify(reply.body)}`);
      }
  expect(wrong).toEqual([]);
  expect(asked).toBeGreaterThan(500);
});
