import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { deleteTeam, listApplications, putOAuthCredential } from '@pulsewire/connections';
import { createCipher } from '@pulsewire/database';
import { silentLogger } from '@pulsewire/kernel';
import { useDatabase } from '../../../support/database.ts';
import { createApiHarness, type ApiHarness, type Caller } from '../support/harness.ts';

const database = useDatabase();
const cipher = createCipher(new Map([[1, Buffer.alloc(32, 4)]]));
let harness: ApiHarness;

beforeAll(async () => {
  harness = await createApiHarness(database.current, { config: { linkTokenAloneAllowed: true }, overrides: { cipher } });
});
afterAll(() => harness.close());

/** A team with a user, a signed-in phone and an open link token. */
async function acting() {
  const caller = await harness.newCaller();
  const userId = (await caller.call('POST', '/v2/user', { client_user_id: randomUUID() })).body.user_id as string;
  const phone = (await harness.bare('POST', `/api/v1/users/${userId}/token`, { app_id: caller.team.teamId, app_secret: caller.key })).body;
  const link = (await caller.call('POST', '/v2/link/token', { user_id: userId })).body.link_token as string;
  return { caller, userId, phone, link };
}
type Acting = Awaited<ReturnType<typeof acting>>;

const sync = ({ userId, phone }: Acting) =>
  harness.bare(
    'POST',
    `/api/v1/sdk/users/${userId}/sync`,
    { provider: 'google', data: {} },
    { authorization: `Bearer ${phone.access_token}` },
  );
const refresh = ({ phone }: Acting) => harness.bare('POST', '/api/v1/token/refresh', { refresh_token: phone.refresh_token });
const providers = ({ link }: Acting) => harness.bare('GET', '/v2/link/providers', undefined, { 'x-service-link-token': link });
const stored = async (caller: Caller) =>
  database.current.sql`SELECT 1 FROM connections WHERE team_id = ${caller.team.teamId} UNION ALL
    SELECT 1 FROM log_events WHERE team_id = ${caller.team.teamId} AND event_type LIKE 'provider.%'`;

it.each(['team', 'user'])('the tokens of a deleted %s neither sign in, link nor store anything', async (deleted) => {
  const one = await acting();
  const open = [await sync(one), await providers(one)];
  expect(open.map(({ status }) => status)).toEqual([202, 200]);
  if (deleted === 'team') await deleteTeam(database.current, harness.clock, one.caller.team.teamId);
  else await one.caller.call('DELETE', `/v2/user/${one.userId}`);
  const before = await stored(one.caller);
  const after = [await sync(one), await refresh(one), await providers(one)];
  expect(after.map(({ status }) => status)).toEqual([401, 401, 400]);
  expect(await stored(one.caller)).toHaveLength(before.length);
});

it('the application of a deleted team signs no pushes', async () => {
  const { caller } = await acting();
  const application = { clientId: 'own', clientSecret: 'secret', redirectUrlOverride: null };
  await putOAuthCredential(
    database.current,
    { cipher, clock: harness.clock },
    { teamId: caller.team.teamId, provider: 'garmin', ...application },
  );
  const list = () => listApplications(database.current, { cipher, logger: silentLogger }, 'garmin');
  expect(await list()).toHaveLength(1);
  await deleteTeam(database.current, harness.clock, caller.team.teamId);
  expect(await list()).toEqual([]);
});
