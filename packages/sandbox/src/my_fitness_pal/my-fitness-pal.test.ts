import { utcDay } from '@pulsewire/kernel';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { entryOf } from '../kit/create-simulator.ts';
import type { ProviderSimulator, SimulatedAccount } from '../kit/types.ts';
import { myFitnessPalDefinition } from './definition.ts';

type Row = Readonly<Record<string, unknown>>;

const phone = 'mfp-mobile-android-google';
let simulator: ProviderSimulator;
let ada: SimulatedAccount;

beforeAll(async () => {
  simulator = await entryOf(myFitnessPalDefinition).start({ applications: [] });
  ada = simulator.addAccount({ name: 'Ada Lovelace', timeZone: 'America/New_York', historyDays: 120 });
});
afterAll(() => simulator.close());

const dayAgo = (days: number) => utcDay(Date.now() - days * 86_400_000);

async function call(path: string, init: { readonly json?: unknown; readonly headers?: Readonly<Record<string, string>> }) {
  const { json, headers } = init;
  const post = json === undefined ? {} : { method: 'POST', body: JSON.stringify(json) };
  const response = await fetch(`${simulator.url}${path}`, { ...post, headers: { accept: 'application/json', ...headers } });
  return { status: response.status, type: response.headers.get('content-type') ?? '', text: await response.text() };
}

const site = { origin: 'https://www.myfitnesspal.com', referer: 'https://www.myfitnesspal.com/reports/printable-diary/ada' };

function report(
  { credentials: { username, password } }: SimulatedAccount,
  changes: Row = {},
  headers: Readonly<Record<string, string>> = site,
) {
  const switches = { show_food_diary: 1, show_food_notes: 0, show_exercise_diary: 1, show_exercise_notes: 0 };
  const json = { key: password, username, from: dayAgo(40), to: dayAgo(2), ...switches, ...changes };
  return call(`/api/services/authenticate_diary_key?username=${encodeURIComponent(username)}`, { json, headers });
}

test('the report takes the diary key, and challenges clients unlike the site, and everyone once', async () => {
  expect(await report(ada, {}, {})).toMatchObject({ status: 403, type: 'text/html; charset=UTF-8' });
  expect(await report(ada)).toMatchObject({ status: 403, type: 'text/html; charset=UTF-8' });
  const { status, text } = await report(ada);
  expect(status).toBe(200);
  const days = JSON.parse(text) as readonly { readonly food_entries: readonly Row[]; readonly exercise_entries: readonly Row[] }[];
  expect(days.some((day) => day.food_entries.length === 0)).toBe(true);
  const foods = days.flatMap((day) => day.food_entries);
  expect(new Set(foods.map((food) => food['meal_name']))).toContain('Après-midi 🍵');
  expect(new Set(foods.map((food) => typeof food['consumed_at']))).toEqual(new Set(['string', 'object', 'undefined']));
  expect(days.flatMap((day) => day.exercise_entries).some((entry) => entry['is_calorie_adjustment'] === true)).toBe(true);
});

test('the diary of some people comes in a wrapper, without its empty days, and in kilojoules', async () => {
  const bob = simulator.addAccount({ name: 'Bob', timeZone: 'Asia/Tokyo', historyDays: 60 });
  await report(bob);
  const { reports } = JSON.parse((await report(bob, { show_exercise_diary: 0 })).text) as { readonly reports: readonly Row[] };
  expect(reports.some((day) => (day['food_entries'] as readonly Row[]).length === 0)).toBe(false);
  expect(JSON.stringify(reports)).toContain('"kilojoules"');
});

test('a wrong or former key is rejected in different forms, also with status 200', async () => {
  const responses = [await report(ada, { key: 'x' }), await report(ada, { key: 'x' }), await report(ada, { key: 'x' })];
  expect(responses.map(({ status }) => status)).toEqual([401, 403, 200]);
  expect(await report(ada, { show_food_diary: true })).toMatchObject({ status: 400 });
  const cara = simulator.addAccount({ name: 'Cara', timeZone: 'UTC', historyDays: 20 });
  await report(cara);
  expect((await report(cara)).status).toBe(200);
  cara.revoke();
  expect((await report(cara)).status).toBe(401);
});

async function signIn(json: Row) {
  const { status, text } = await call('/v2/oauth2/token', { json: { client_id: phone, ...json }, headers: { 'mfp-client-id': phone } });
  return { status, body: JSON.parse(text) as Readonly<Record<string, string>> };
}

test('a refresh of the phone ends the former refresh token at once, and does not repeat the user id', async () => {
  const { username, password } = ada.credentials;
  expect((await signIn({ grant_type: 'password', username, password: 'x' })).status).toBe(401);
  const { body: first } = await signIn({ grant_type: 'password', username, password });
  expect(first['user_id']).toBe(ada.providerUserId);
  const refresh = { grant_type: 'refresh_token', refresh_token: first['refresh_token'] };
  expect((await signIn(refresh)).body).not.toHaveProperty('user_id');
  expect(await signIn(refresh)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
});

test('the phone lists foods by last change from the newest back, and reports errors with status 200', async () => {
  const { username, password } = ada.credentials;
  const { body } = await signIn({ grant_type: 'password', username, password });
  const metadata = Buffer.from(JSON.stringify({ 'device-id': 'a', 'app-version': '26.27.0' })).toString('base64');
  const own = { authorization: `Bearer ${body['access_token']}`, 'mfp-client-id': phone, 'mfp-user-id': ada.providerUserId };
  const sync = async (
    before: string | null,
    query = 'foodDiaryEntries { edges { node { id date } } }',
    headers = { ...own, 'client-metadata': metadata },
  ) => {
    const paginationInput = { last: 100, ...(before !== null && { before }) };
    const variables = { input: { syncResources: { foodDiaryEntrySyncResource: { paginationInput, syncCursors: {} } } } };
    return call('/v2/query-envoy/graphql', { json: { operationName: 'SyncFoodDiaryEntries', query, variables }, headers });
  };
  interface Page {
    readonly edges: readonly { readonly node: { readonly id: string; readonly date: string } }[];
    readonly pageInfo: { readonly hasPreviousPage: boolean; readonly startCursor: string };
  }
  const nodes: Page['edges'][number]['node'][] = [];
  for (let before: string | null = null, isMore = true; isMore;) {
    const { data } = JSON.parse((await sync(before)).text) as {
      readonly data: { readonly batchSync: { readonly foodDiaryEntries: Page } };
    };
    const { edges, pageInfo } = data.batchSync.foodDiaryEntries;
    nodes.unshift(...edges.map(({ node }) => node));
    [before, isMore] = [pageInfo.startCursor, pageInfo.hasPreviousPage];
  }
  expect(nodes.length).toBeGreaterThan(200);
  expect(new Set(nodes.map(({ id }) => id)).size).toBe(nodes.length);
  const dates = nodes.map(({ date }) => date);
  expect(dates).not.toEqual(dates.toSorted());
  expect(await sync(null, 'foodDiaryEntries { edges { node { id note } } }')).toMatchObject({
    status: 200,
    text: expect.stringContaining('errors'),
  });
  expect((await sync(null, undefined, own as typeof own & { 'client-metadata': string })).status).toBe(400);
});

test('the phone reads totals of meals and the weight by day, and rejects single foods', async () => {
  const { username, password } = ada.credentials;
  const { body } = await signIn({ grant_type: 'password', username, password });
  const headers = { authorization: `Bearer ${body['access_token']}`, 'mfp-client-id': phone, 'mfp-user-id': ada.providerUserId };
  const days = [2, 3, 4, 5, 6].map(dayAgo);
  const bodies = await Promise.all(
    days.flatMap((day) => [
      call(`/v2/diary?entry_date=${day}`, { headers }),
      call(`/v2/measurements?entry_date=${day}&types=weight`, { headers }),
    ]),
  );
  const types = new Set(
    bodies.flatMap(({ text }) => (JSON.parse(text) as { readonly items: readonly Row[] }).items.map((item) => item['type'])),
  );
  expect([...types].map(String).toSorted()).toEqual(['Weight', 'diary_meal', 'exercise_entry', 'steps_aggregate', 'water']);
  expect(await call(`/v2/diary?entry_date=${days[0]}&types=food_entry`, { headers })).toMatchObject({ status: 400 });
});
