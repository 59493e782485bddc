import { afterAll, beforeAll, expect, it } from 'vitest';
import { namedSampleSchema, resources, schemaExamples, summariesWithoutId, titleOf, type Resource } from '@pulsewire/contract';
import { updateTeam } from '@pulsewire/connections';
import { connectors } from '@pulsewire/providers';
import { useDatabase } from '../../../support/database.ts';
import { createApiHarness, type ApiHarness, type Caller } from '../support/harness.ts';

const database = useDatabase();
let harness: ApiHarness;
let caller: Caller;

beforeAll(async () => {
  harness = await createApiHarness(database.current, { config: { samplesPerPage: 100 } });
  caller = await harness.newCaller();
  // Before the day on which the hypnogram was removed.
  await updateTeam(database.current, caller.team.teamId, { contractDate: '2024-01-01' });
});
afterAll(() => harness.close());

type Item = Record<string, unknown>;
type Named<Kind> = Extract<Resource, { readonly kind: Kind }>;
const ofKind = <Kind extends Resource['kind']>(kind: Kind) => resources.filter((row): row is Named<Kind> => row.kind === kind);
const [series, summaries] = [ofKind('timeseries'), ofKind('summary')];
/** The hypnogram is read from sleep cycles. */
const stored = series.filter(({ isDeprecated }) => !isDeprecated);
const examples = schemaExamples();

/** Fields that the service fills in; a client does not send them. */
const derived =
  /^(?:id|user_id|date|source|created_at|updated_at|source_provider|source_type|source_app_id|source_device_id|source_id|provider_id|priority_id|sleep_id|sleep_stream)$/;
const withoutEmpty = (item: Item): Item => Object.fromEntries(Object.entries(item).filter(([, value]) => value !== null));

/** The published example of a sample as a client sends it: one for each kind of the series. */
function samplesOf(row: Named<'timeseries'>): Item[] {
  const { id: _, timestamp, start, ...rest } = withoutEmpty(examples.get(titleOf(namedSampleSchema(row)) ?? '') as Item);
  const item = row.shape === 'interval' ? { start, ...rest } : { timestamp, ...rest };
  return row.subKinds?.presence === 'required' && row.subKinds.values ? row.subKinds.values.map((type) => ({ ...item, type })) : [item];
}

function summaryOf({ name, schema }: Named<'summary'>): Item {
  const whole = withoutEmpty(examples.get(titleOf(schema) ?? '') as Item);
  const own = Object.fromEntries(Object.entries(whole).filter(([key]) => !derived.test(key)));
  const sport = own['sport'] as { readonly slug: string } | undefined;
  return { ...(!summariesWithoutId.has(name) && { external_id: 'one' }), ...own, ...(sport && { sport: sport.slug }) };
}

it('stores and returns every kind of every series, and every summary', async () => {
  const { user_id: userId } = (await caller.call('POST', '/v2/user', { client_user_id: crypto.randomUUID() })).body;
  await caller.call('POST', '/v2/link/provider/manual/manual', { user_id: userId, provider_id: 'entries' });
  const reply = await caller.call('POST', `/v2/user/${userId}/data/manual`, {
    source: { type: 'app' },
    samples: Object.fromEntries(stored.map((row) => [row.name, samplesOf(row)])),
    summaries: Object.fromEntries(summaries.map((row) => [row.name, [summaryOf(row)]])),
  });
  const sent = stored.flatMap(samplesOf).length;
  expect([reply.status, reply.body]).toEqual([
    200,
    { samples: { received: sent, created: sent, updated: 0 }, summaries: { received: 9, created: 9, updated: 0 }, left_out: [] },
  ]);
  const window = 'start_date=2025-01-01&end_date=2027-01-01';
  for (const row of series) {
    const { groups } = (await caller.call('GET', `/v2/timeseries/${userId}/${row.readSlug}/grouped?${window}`)).body;
    const data = (groups.manual?.[0]?.data ?? []) as Item[];
    if (row.isDeprecated) expect([row.name, data.length]).toEqual([row.name, 3]);
    else for (const item of samplesOf(row)) expect([row.name, data]).toEqual([row.name, expect.arrayContaining([expect.objectContaining(item)])]);
  }
  for (const row of summaries) {
    const { body } = await caller.call('GET', `/v2/summary/${row.name}/${userId}${row.window === 'none' ? '' : `?${window}`}`);
    const [read] = row.responseKey === null ? [body] : body[row.responseKey];
    const { external_id: _, sport: __, ...own } = summaryOf(row);
    expect([row.name, read]).toMatchObject([row.name, own]);
  }
});

it('declares only connector resources that a client can read', () => {
  const names = new Set(resources.map(({ name }) => name));
  for (const { slug, resources: own } of connectors)
    expect([slug, Object.keys(own).filter((name) => !names.has(name))]).toEqual([slug, []]);
});
