import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { putOAuthCredential, updateTeam } from '@pulsewire/connections';
import { createCipher } from '@pulsewire/database';
import { useDatabase } from '../../../support/database.ts';
import { distinctOperations, notBuilt, pathProviders, send, type Ids } from '../support/every-operation.ts';
import { createApiHarness, idleIngest, type ApiHarness, type Caller } from '../support/harness.ts';
import { makeOwned } from '../support/owned.ts';
import { messageId } from '../support/webhook-facts.ts';

const database = useDatabase({ hasLabData: true });
let harness: ApiHarness;
let owner: Caller;
let stranger: Caller;
/** Every id of the owner's objects, those of the operations before included. */
const everOwned = new Set<string>();

beforeAll(async () => {
  const cipher = createCipher(new Map([[1, Buffer.alloc(32, 7)]]));
  const bulk = { requestWork: async () => {}, onPaused: async () => {} };
  harness = await createApiHarness(database.current, {
    config: { sandboxUsersMax: 1000 },
    overrides: { cipher, ingest: { ...idleIngest, bulk } },
  });
  // Sandbox teams with every switch enabled: operations that only they may call must be isolated too.
  [owner, stranger] = [await harness.newCaller({ isSandbox: true }), await harness.newCaller({ isSandbox: true })];
  for (const { team } of [owner, stranger]) {
    await updateTeam(database.current, team.teamId, { bulkOperations: true, contractDate: '2024-01-01' });
    const credential = { clientId: 'team-id', clientSecret: 'team-secret', redirectUrlOverride: null };
    await putOAuthCredential(
      database.current,
      { cipher, clock: harness.clock },
      { teamId: team.teamId, provider: 'fitbit', ...credential },
    );
  }
});
afterAll(() => harness.close());

const openToAll = new Set(['finishOAuthLink', 'getWebhookKeys', 'answerPushHandshake', 'receivePush', 'receiveLabPartnerPush']);
/** Called by phones with their own tokens; their isolation is tested with the SDK. */
for (const name of [
  'syncPhone',
  'syncApplePhone',
  'signPhoneOut',
  'logPhoneEvents',
  'createPhoneToken',
  'renewPhoneToken',
  'revokePhoneToken',
])
  openToAll.add(name);

const unknownMessages = () => ({
  device_id: randomUUID(),
  message_id: messageId({ eventId: randomUUID() }),
  replay_id: randomUUID(),
  operation_id: randomUUID(),
  key_id: randomUUID(),
  lab_test_id: randomUUID(),
  order_id: randomUUID(),
  transaction_id: randomUUID(),
  kit_test_id: randomUUID(),
  kit_sample_id: randomUUID(),
  raw_result_id: randomUUID(),
});

/** Ids that do not exist; the token has a valid signature, but its session is gone. */
async function makeUnknown(): Promise<Ids> {
  const { user_id: userId } = (await stranger.call('POST', '/v2/user', { client_user_id: randomUUID() })).body;
  const { link_token: linkToken } = (await stranger.call('POST', '/v2/link/token', { user_id: userId })).body;
  await database.current.sql`DELETE FROM link_sessions WHERE user_id = ${userId}`;
  const named = { workout_id: randomUUID(), sleep_id: randomUUID(), webhook_id: randomUUID(), job_id: randomUUID(), ...unknownMessages() };
  return { user_id: randomUUID(), client_user_id: `unknown-${randomUUID()}`, ...named, linkToken };
}

describe('ids of another team', () => {
  it.each(
    distinctOperations
      .filter(({ operationId }) => !openToAll.has(operationId))
      .map((operation) => [`${operation.method} ${operation.path}`, operation] as const),
  )('get the same response as unknown ids: %s', async (_name, operation) => {
    const owned = await makeOwned(database.current, harness, owner, operation);
    // A demo user has no real connections.
    const real = operation.operationId === 'connectDemo' ? ['fitbit', 'manual'] : [];
    for (const slug of real) await owner.call('DELETE', `/v2/user/${owned.user_id}/${slug}`);
    if (operation.operationId === 'undoDeleteUser') await owner.call('DELETE', `/v2/user/${owned.user_id}`);
    const foreign = await send(stranger, operation, owned);
    const unknown = await send(stranger, operation, await makeUnknown());
    expect(foreign.status).toBe(unknown.status);
    for (const id of Object.values(owned)) everOwned.add(id);
    for (const id of everOwned) expect(foreign.text).not.toContain(id);
    // Where the request names an object, the error equals the one for a missing object, byte for byte.
    const namesSomething =
      /\{(?:user_id|client_user_id|workout_id|sleep_id|webhook_id|message_id|replay_id|operation_id|key_id|lab_test_id|order_id|transaction_id|raw_result_id)\}/.test(
        operation.path,
      ) ||
      [
        ...Object.keys(pathProviders),
        'createLinkToken',
        'startOAuthLink',
        'undoDeleteUser',
        'connectDemo',
        'getLinkState',
        'listLinkProviders',
      ].includes(operation.operationId);
    if (namesSomething) {
      // A refused link has status 200.
      if (foreign.status === 200) expect(foreign.body).toMatchObject({ state: 'error', error_type: 'invalid_token' });
      else expect(foreign.status).toBeGreaterThanOrEqual(400);
      expect(foreign.body).toEqual(unknown.body);
    }
    // The same request succeeds for the owner: it is valid, and the foreign attempt changed nothing.
    const own = await send(owner, operation, owned);
    const isRight = (status: number) => (notBuilt.has(operation.operationId) ? status === 501 : status < 300);
    expect([own.status, own.text]).toEqual([expect.toSatisfy(isRight), own.text]);
    // There are more operations than a team may have endpoints, or reports that wait to be parsed.
    await owner.call('DELETE', `/v2/team/webhook/${owned.webhook_id}`);
    await database.current.sql`UPDATE lab_reports SET due_at = NULL`;
  });
});
