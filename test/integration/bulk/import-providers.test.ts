import { listConnections, putOAuthCredential } from '@pulsewire/connections';
import { connectors } from '@pulsewire/providers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useDatabase } from '../../support/database.ts';
import type { Caller } from '../api/support/harness.ts';
import { createBulkHarness, recipe, type BulkHarness } from './harness.ts';

const database = useDatabase();
let harness: BulkHarness;
let caller: Caller;

beforeAll(async () => {
  harness = await createBulkHarness(
    database.current,
    connectors.filter(({ slug }) => slug !== 'fitbit'),
  );
  caller = await harness.enabledCaller();
});
afterAll(() => harness.close());

const oauth = connectors.filter((connector) => connector.oauth !== null).map(({ slug }) => slug);
const others = connectors.filter((connector) => connector.oauth === null).map(({ slug }) => slug);

describe('bulk import', () => {
  it.each(oauth)('connects users of %s, also without a refresh token and scopes', async (provider) => {
    const application = { clientId: 'team-id', clientSecret: 'team-secret', redirectUrlOverride: null };
    const { cipher, api } = harness;
    await putOAuthCredential(database.current, { cipher, clock: api.clock }, { teamId: caller.team.teamId, provider, ...application });
    const [one, two] = (await harness.newUsers(caller, 2)) as [string, string];
    const bare = { refresh_token: '', expires_at: 2_147_483_647, oauth_scopes: null };
    const reply = await caller.call('POST', '/v2/link/bulk_import', { provider, connections: [recipe(one), recipe(two, bare)] });
    expect(reply.status).toBe(202);
    await harness.work();
    for (const userId of [one, two]) {
      const listed = await listConnections(database.current, caller.team.teamId, [userId]);
      expect(listed).toMatchObject([{ provider, status: 'connected' }]);
      expect((await caller.call('GET', `/v2/user/providers/${userId}`)).body.providers).toMatchObject([
        { slug: provider, status: 'connected' },
      ]);
    }
  });

  it.each([...others, 'manual'])('does not accept %s, whose connections are not of an OAuth application', async (provider) => {
    const [userId] = (await harness.newUsers(caller, 1)) as [string];
    const reply = await caller.call('POST', '/v2/link/bulk_import', { provider, connections: [recipe(userId)] });
    expect([reply.status, reply.body.detail[0]?.loc]).toEqual([422, ['body', 'provider']]);
  });
});
