import { connectors } from '@pulsewire/providers';
import { simulators } from '@pulsewire/sandbox';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { useDatabase } from '../../support/database.ts';
import { createConformanceHarness, type ConformanceHarness } from './conformance/harness.ts';
import { statusOf } from './conformance/stored.ts';

const database = useDatabase();
const tokensMax = 10;
let harness: ConformanceHarness;

beforeEach(async () => {
  const connector = connectors.find(({ slug }) => slug === 'wahoo');
  const entry = simulators.find(({ slug }) => slug === 'wahoo');
  if (!connector || !entry) throw new Error('Not known');
  harness = await createConformanceHarness(database.current, connector, entry);
});
afterEach(() => harness.close());

const addAccount = () => harness.simulator.addAccount({ name: 'Ada Lovelace', timeZone: 'Europe/Berlin', historyDays: 1 });

/** Links the same user again until the account has as many tokens as Wahoo allows. */
async function linkUntilFull() {
  const account = addAccount();
  const linked = await harness.link(account);
  for (let count = 1; count < tokensMax; count++) expect(await harness.attempt(linked.userId, account)).toMatchObject({ state: 'success' });
  expect(account.consents()).toBe(tokensMax);
  return { account, ...linked };
}

test('wahoo: too many tokens of a connected account are revoked, and the next link succeeds', async () => {
  const { account, userId, connectionId } = await linkUntilFull();
  expect(await harness.attempt(userId, account)).toMatchObject({
    state: 'error',
    errorType: 'provider_credential_error',
    error: expect.stringContaining('please link again') as string,
  });
  expect(account.consents()).toBe(0);
  expect(await statusOf(database.current, connectionId)).toMatchObject({ status: 'error', error_type: 'token_refresh_failed' });
  expect(await harness.attempt(userId, account)).toMatchObject({ state: 'success' });
  expect(await statusOf(database.current, connectionId)).toMatchObject({ status: 'connected' });
});

test('wahoo: a refresh refused for too many tokens is repeated twice; then the error names the way out', async () => {
  const { connectionId, account } = await linkUntilFull();
  // A poll comes after three hours, and a token lives for two.
  for (let polls = 1; polls <= 3; polls++) {
    expect(await statusOf(database.current, connectionId)).toMatchObject({ status: 'connected' });
    await harness.poll();
    await harness.drain();
  }
  expect(harness.lines.filter((line) => line.includes('"reason":"too_many_tokens"'))).toHaveLength(2);
  const [connection] = await database.current
    .sql`SELECT status, error_type, error_message FROM connections WHERE connection_id = ${connectionId}`;
  expect(connection).toMatchObject({
    status: 'error',
    error_type: 'token_refresh_failed',
    error_message: expect.stringContaining('remove the app in the account at Wahoo and link again') as string,
  });
  expect(account.consents()).toBe(tokensMax);
});

test('wahoo: too many tokens of an account without a connection stay, and the error names the way out', async () => {
  const { account, connectionId } = await linkUntilFull();
  expect(await harness.attempt(await harness.newUser(account), account)).toMatchObject({
    state: 'error',
    errorType: 'provider_credential_error',
    error: expect.stringContaining('Remove the app in the account at Wahoo') as string,
  });
  expect(account.consents()).toBe(tokensMax);
  expect(await statusOf(database.current, connectionId)).toMatchObject({ status: 'connected' });
});

test('wahoo: tokens of an unknown account, or one that another user is linking, are not revoked', async () => {
  const { account, userId, connectionId } = await linkUntilFull();
  const { sql } = database.current;
  const expectKept = async () => {
    expect(await harness.attempt(userId, account)).toMatchObject({
      state: 'error',
      error: expect.stringContaining('Remove the app') as string,
    });
    expect(account.consents()).toBe(tokensMax);
    expect(await statusOf(database.current, connectionId)).toMatchObject({ status: 'connected' });
  };
  await sql`UPDATE connections SET provider_user_id = NULL WHERE connection_id = ${connectionId}`;
  await expectKept();
  await sql`UPDATE connections SET provider_user_id = ${account.providerUserId} WHERE connection_id = ${connectionId}`;
  const other = await harness.newUser(account);
  await sql`
    INSERT INTO link_consents (consent_id, session_id, team_id, user_id, provider, provider_user_id, application, token_answer, code_hash, created_at, expires_at)
    SELECT gen_random_uuid(), session_id, team_id, ${other}, 'wahoo', ${account.providerUserId}, 'platform', '', '', now(), now() + interval '100 years'
    FROM link_sessions WHERE user_id = ${userId} LIMIT 1`;
  await expectKept();
});
