import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLabAccount, loadLabData } from '@pulsewire/labs';
import { isLoincCode } from '../../../packages/labs/src/catalogue/seeds/build-catalogue.ts';
import { createApiHarness, type ApiHarness, type Caller } from '../api/support/harness.ts';
import { useDatabase } from '../../support/database.ts';

const database = useDatabase();
let harness: ApiHarness;
let team: Caller;
let other: Caller;

beforeAll(async () => {
  harness = await createApiHarness(database.current);
  await loadLabData(database.current, harness.clock);
  team = await harness.newCaller({ isSandbox: true });
  other = await harness.newCaller({ isSandbox: true });
});
afterAll(() => harness.close());

const get = async (url: string) => (await team.call('GET', url)).body;
const quest = 26;

describe('the catalogue that ships with the release', () => {
  it('has at least 250 analytes and panels, with valid check digits of all LOINC codes', async () => {
    const file = async (name: string) => readFile(new URL(`../../../packages/labs/data/${name}`, import.meta.url), 'utf8');
    const [analytes, panels] = [await file('analytes.csv'), await file('panels.csv')];
    expect(analytes.trim().split('\n').length + panels.trim().split('\n').length - 2).toBeGreaterThanOrEqual(250);
    const codes = await database.current.sql<{ code: string }[]>`SELECT code FROM loinc_codes`;
    expect(codes.filter(({ code }) => !isLoincCode(code))).toEqual([]);
    expect(isLoincCode('2345-6')).toBe(false);
  });

  it('is loaded once; repeated calls by any process change nothing', async () => {
    expect(await loadLabData(database.current, harness.clock)).toEqual([]);
  });

  it('has the published labs, and markers for each of them', async () => {
    const labs = await get('/v3/lab_tests/labs');
    expect(labs.map((lab: { slug: string }) => lab.slug).sort()).toEqual(
      'ayumetrix bioreference crl ihd labcorp manual my_uti nexus quest sanocardio sonora_quest spiriplex us_biotek ussl'.split(' '),
    );
    for (const { slug } of labs) expect((await get(`/v3/lab_tests/markers?lab_slug=${slug}&size=1`)).total).toBeGreaterThan(5);
  });
});

describe('markers', () => {
  it('of a panel list the expected results with their LOINC codes', async () => {
    const page = await get('/v3/lab_tests/markers?lab_slug=quest&name=lipid%20panel');
    const panel = page.markers.find(({ slug }: { slug: string }) => slug === 'lipid-panel');
    expect(panel).toMatchObject({ type: 'panel', lab_id: quest, unit: null, a_la_carte_enabled: true });
    expect(panel.expected_results.map((result: { loinc: { code: string } }) => result.loinc.code)).toEqual(
      expect.arrayContaining(['2093-3', '2571-8', '2085-9', '13457-7']),
    );
    expect(panel.aoe.questions[0]).toMatchObject({ code: 'FSTING', required: true });
  });

  it('can be filtered by lab (slug before id), name and whether they are orderable alone', async () => {
    const bySlug = await get('/v3/lab_tests/markers?lab_slug=quest&lab_id=27&size=100');
    expect(new Set(bySlug.markers.map(({ lab_id: id }: { lab_id: number }) => id))).toEqual(new Set([quest]));
    const byIds = await get('/v3/lab_tests/markers?lab_id=26&lab_id=27&name=TSH');
    expect(new Set(byIds.markers.map(({ lab_id: id }: { lab_id: number }) => id))).toEqual(new Set([26, 27]));
    expect((await get('/v3/lab_tests/markers?lab_slug=nowhere')).total).toBe(0);
    expect((await get('/v3/lab_tests/markers?lab_slug=my_uti&a_la_carte_enabled=true')).total).toBe(0);
    expect((await get('/v3/lab_tests/markers?name=%25')).total).toBe(0);
  });

  it('are paged, with prices only on request', async () => {
    const first = await get('/v3/lab_tests/markers?lab_slug=quest&size=10&page=1&include_pricing=true');
    const second = await get('/v3/lab_tests/markers?lab_slug=quest&size=10&page=2');
    expect(first).toMatchObject({ page: 1, size: 10, pages: Math.ceil(first.total / 10), pricing: { currency: 'USD' } });
    expect(second.pricing).toBeNull();
    expect(second.markers[0].id).toBeGreaterThan(first.markers.at(-1).id);
    expect((await team.call('GET', '/v3/lab_tests/markers?page=0&size=101')).body.detail).toHaveLength(2);
  });

  it("are found by their lab's code; unknown codes return 404", async () => {
    const [marker] = (await get('/v3/lab_tests/markers?lab_slug=labcorp&size=1')).markers;
    const { expected_results: _, ...plain } = marker;
    expect(await get(`/v3/lab_tests/27/markers/${marker.provider_id}`)).toEqual(plain);
    expect((await team.call('GET', '/v3/lab_tests/27/markers/none')).status).toBe(404);
  });
});

describe('lab tests', () => {
  it('exist once per collection method for a new sandbox team; other teams see only their own', async () => {
    const mine = (await get('/v3/lab_test')).data;
    expect(mine.map(({ method }: { method: string }) => method).sort()).toEqual([
      'at_home_phlebotomy',
      'on_site_collection',
      'testkit',
      'walk_in_test',
    ]);
    const theirs = (await other.call('GET', '/v3/lab_test')).body.data;
    expect(theirs).toHaveLength(4);
    expect((await team.call('GET', `/v3/lab_tests/${theirs[0].id}`)).status).toBe(404);
    const production = await harness.newCaller();
    expect((await production.call('GET', '/v3/lab_test')).body.data).toEqual([]);
  });

  it('can be created from markers, renamed, archived and listed by every filter', async () => {
    const body = { marker_ids: [261001, 265006], name: 'Sugar and fat', method: 'walk_in_test', description: 'x', fasting: true };
    const created = await team.call('POST', '/v3/lab_tests', body);
    expect(created.body).toMatchObject({
      name: 'Sugar and fat',
      lab: { slug: 'quest' },
      fasting: true,
      status: 'active',
      auto_generated: false,
    });
    const url = `/v3/lab_tests/${created.body.id}`;
    expect((await team.call('PATCH', url, { name: 'Sugar', active: false })).body).toMatchObject({ name: 'Sugar', status: 'inactive' });
    const list = async (query: string) => (await get(`/v3/lab_test?${query}`)).data.map(({ name }: { name: string }) => name);
    expect(await list('status=inactive')).toEqual(['Sugar']);
    expect(await list('name=suga')).toEqual(['Sugar']);
    expect(await list('marker_ids=261001&marker_ids=265006')).toEqual(['Sugar']);
    expect(await list('lab_slug=quest&collection_method=walk_in_test')).toEqual(['Sugar']);
    expect(await list('generation_method=auto')).toEqual([]);
    expect((await get(`${url}/markers`)).markers.map(({ id }: { id: number }) => id)).toEqual([261001, 265006]);
    expect((await get('/v3/lab_tests?order_key=price&order_direction=desc')).length).toBe(5);
    const first = await get('/v3/lab_test?lab_test_limit=3&include_pricing=true');
    const rest = await get(`/v3/lab_test?lab_test_limit=3&next_cursor=${first.next_cursor}&include_pricing=true`);
    expect([first.data.length, rest.data.length, rest.next_cursor]).toEqual([3, 2, null]);
  });

  it('reject markers of several labs, mixed kinds of ids, and methods that the lab does not offer', async () => {
    const base = { name: 'x', method: 'walk_in_test', description: 'x' };
    const status = async (body: object) => (await team.call('POST', '/v3/lab_tests', { ...base, ...body })).status;
    expect(await status({ marker_ids: [261001, 271001] })).toBe(400);
    expect(await status({ marker_ids: [261001], provider_ids: ['261001'] })).toBe(400);
    expect(await status({ marker_ids: [] })).toBe(400);
    expect(await status({ marker_ids: [41001] })).toBe(400);
    expect(await status({ marker_ids: [1] })).toBe(400);
    expect(await status({ marker_ids: [261001], method: 'testkit' })).toBe(400);
  });
});

describe('the markers of an order set', () => {
  const list = (body: object, query = '') => team.call('POST', `/v3/lab_tests/list_order_set_markers${query}`, body);

  it('combine tests and add-on without duplicates, and are paged by the query', async () => {
    const tests = (await get('/v3/lab_test?collection_method=at_home_phlebotomy')).data;
    const page = await list({ lab_test_ids: [tests[0].id], add_on: { marker_ids: [261001, 265008] } }, '?page=2&size=1');
    expect(page.body).toMatchObject({ total: 2, page: 2, size: 1, pages: 2 });
    expect(page.body.markers[0].id).toBe(265008);
    const [marker] = (await get('/v3/lab_tests/markers?lab_slug=quest&size=1')).markers;
    const byCode = await list({ lab_test_ids: [tests[0].id], add_on: { provider_ids: [marker.provider_id] } });
    expect(byCode.body.total).toBe(2);
  });

  it('are rejected for an empty or unknown set, several labs, or a lab other than the account’s', async () => {
    const tests = (await get('/v3/lab_test')).data;
    const account = await createLabAccount(database.current, harness.clock, {
      labId: 27,
      status: 'active',
      delegatedFlow: 'not_delegated',
      providerAccountId: '1',
      allowedBilling: {},
      teamIds: [team.team.teamId],
    });
    expect((await list({})).status).toBe(400);
    expect((await list({ add_on: {} })).status).toBe(400);
    expect((await list({ lab_test_ids: [randomUUID()] })).status).toBe(400);
    expect((await list({ lab_test_ids: tests.map(({ id }: { id: string }) => id) })).status).toBe(400);
    expect((await list({ add_on: { marker_ids: [261001] }, lab_account_id: account })).status).toBe(400);
    expect((await list({ add_on: { marker_ids: [261001] }, lab_account_id: randomUUID() })).status).toBe(404);
  });
});

describe('lab accounts', () => {
  it('are listed by id and status, and only for the teams that they are linked to', async () => {
    const accounts = { labId: quest, delegatedFlow: 'not_delegated', allowedBilling: { client_bill: ['AZ'] } };
    const teamIds = [other.team.teamId];
    const active = await createLabAccount(database.current, harness.clock, {
      ...accounts,
      status: 'active',
      providerAccountId: '2',
      teamIds,
    });
    await createLabAccount(database.current, harness.clock, { ...accounts, status: 'pending', providerAccountId: '3', teamIds });
    const list = async (query: string) => (await other.call('GET', `/v3/lab_test/lab_account${query}`)).body.data;
    expect(await list('')).toHaveLength(2);
    expect(await list('?status=pending')).toMatchObject([{ provider_account_id: '3', lab: 'quest' }]);
    expect(await list(`?lab_account_id=${active}`)).toMatchObject([{ id: active, team_id_allowlist: teamIds }]);
    expect((await team.call('GET', `/v3/lab_test/lab_account?lab_account_id=${active}`)).body.data).toEqual([]);
  });
});
