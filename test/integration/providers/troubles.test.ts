import { findConnector } from '@pulsewire/providers';
import { simulators } from '@pulsewire/sandbox';
import { afterEach, describe, expect, test } from 'vitest';
import { useDatabase } from '../../support/database.ts';
import { createConformanceHarness, startedAt, type ConformanceHarness } from './conformance/harness.ts';
import { linesOf, statusOf } from './conformance/stored.ts';

const database = useDatabase();
const limitMs = 120_000;
let harness: ConformanceHarness;
afterEach(() => harness.close());

async function open(slug: string): Promise<void> {
  const [connector, entry] = [findConnector(slug), simulators.find((simulator) => simulator.slug === slug)];
  if (!connector || !entry) throw new Error(`${slug} is not registered`);
  harness = await createConformanceHarness(database.current, connector, entry);
}

const addAccount = (name: string, wantsMfa = false) =>
  harness.simulator.addAccount({ name, timeZone: 'America/New_York', historyDays: 4, wantsMfa });

async function settle(): Promise<void> {
  for (let round = 0; round < 2; round++) {
    await harness.simulator.pushes?.settled();
    await harness.drain();
  }
}

async function errorsOf(connectionId: string): Promise<readonly string[]> {
  const rows = await database.current.sql<{ error_code: string }[]>`
    SELECT DISTINCT error_code FROM pull_windows WHERE connection_id = ${connectionId} AND error_code IS NOT NULL`;
  return rows.map((row) => row.error_code);
}

const dayMs = 86_400_000;

/** Everything stored since then, except the current weight at Oura: it applies from the day on which the user was linked. */
async function storedOf(userId: string): Promise<readonly string[]> {
  const lines = await linesOf(database.current, userId, startedAt.getTime() - 2 * dayMs);
  return lines.filter((line) => !/"resource":"(?:body|weight)","(?:sub_kind":"","source_type":"app"|source_type":"app")/.test(line));
}

describe('what a provider documents to go wrong', () => {
  test.each([
    ['oura', 'membership_lapsed', ['provider_account_state']],
    ['oura', 'app_outdated', ['provider_account_state']],
    ['withings', 'timed_out', ['provider_transient']],
    ['withings', 'bad_state', ['provider_transient']],
    ['renpho', 'too_many_requests', ['provider_rate_limited']],
    ['whoop', 'too_many_requests', ['token_refresh_pending']],
    ['google_health', 'account_not_linked', ['provider_account_state']],
    ['google_health', 'account_legacy', ['provider_account_state']],
    ['google_health', 'consent_damaged', ['provider_account_state']],
    ['google_health', 'project_without_api', ['provider_configuration']],
    ['google_health', 'roll_up_refused', ['provider_permanent']],
    ['google_health', 'project_denied', ['provider_configuration']],
    ['google_fit', 'api_not_enabled', ['provider_configuration']],
    ['ihealth', 'serials_wrong', ['provider_configuration']],
    ['ihealth', 'client_wrong', ['provider_configuration']],
    ['abbott_libreview', 'app_outdated', ['provider_configuration']],
    // The account is read first, before any window.
    ['runkeeper', 'user_limited', []],
    ['polar', 'consent_withdrawn', ['provider_account_state']],
    ['eight_sleep', 'outage', ['provider_transient']],
    ['eight_sleep', 'subscription_missing', ['provider_account_state']],
    ['strava', 'forbidden', ['provider_scope_missing']],
    ['strava', 'app_inactive', ['provider_configuration']],
    ['google_fit', 'app_limited', ['provider_rate_limited']],
    ['withings', 'unauthorized_action', ['provider_scope_missing']],
    ['withings', 'unauthorized_first', ['provider_scope_missing']],
    ['withings', 'unauthorized_second', ['provider_scope_missing']],
    ['withings', 'unauthorized_last', ['provider_scope_missing']],
    ['my_fitness_pal_v2', 'internal_error', ['provider_transient']],
    ['my_fitness_pal_v2', 'unavailable', ['provider_transient']],
    ['my_fitness_pal_v2', 'not_found', ['provider_permanent']],
    ['my_fitness_pal_v2', 'header_malformed', ['provider_permanent']],
    ['my_fitness_pal_v2', 'validation_failed', ['provider_permanent']],
    ['wahoo', 'not_acceptable', ['provider_permanent']],
    ['wahoo', 'gone', ['provider_permanent']],
    ['zwift', 'activities_hidden', ['provider_permanent']],
    ['zwift', 'activity_hidden', []],
    ['abbott_libreview', 'access_denied', ['provider_account_state']],
    ['abbott_libreview', 'nobody_followed', []],
    ['runkeeper', 'weight_withheld', ['provider_scope_missing']],
    ['eight_sleep', 'sign_in_limited', ['token_refresh_pending']],
    ['beurer_api', 'sign_in_without_tokens', ['token_refresh_pending']],
    ['wahoo', 'app_not_approved', ['provider_configuration']],
    ['dexcom', 'internal_error', ['provider_transient']],
  ])(
    '%s: %s keeps the connection, and what was missed is read when it is over',
    async (slug, trouble, errors) => {
      await open(slug);
      const account = addAccount('Ada Lovelace');
      const linked = await harness.link(account);
      await harness.drainAll();
      harness.simulator.troubles.begin(trouble);
      if (errors.includes('token_refresh_pending')) account.expireTokens();
      harness.clock.advance(dayMs);
      account.makeNewData();
      const before = harness.simulator.requests.length;
      await harness.poll();
      await settle();
      expect(harness.simulator.requests.length).toBeGreaterThan(before);
      expect(await errorsOf(linked.connectionId)).toEqual(errors);
      expect(await statusOf(database.current, linked.connectionId)).toMatchObject({ status: 'connected' });
      harness.simulator.troubles.end();
      await harness.drainAll();
      await harness.poll();
      await harness.drainAll();
      // Another user of the same account reads everything for the first time.
      const fresh = await harness.link(account);
      await harness.drainAll();
      const lines = await storedOf(fresh.userId);
      expect(lines.length).toBeGreaterThan(0);
      // Providers that keep only the last day show less to the newcomer.
      const stored = new Set(await storedOf(linked.userId));
      expect(lines.filter((line) => !stored.has(line))).toEqual([]);
    },
    limitMs,
  );

  test.each([
    ['whoop', 'code_expired', 'provider_credential_error'],
    ['whoop', 'too_many_requests', 'provider_api_error'],
    ['whoop', 'limit_exceeded', 'provider_api_error'],
    ['dexcom', 'account_not_found', 'provider_credential_error'],
    ['dexcom', 'password_invalid', 'provider_credential_error'],
    ['dexcom', 'attempts_exceeded', 'provider_credential_error'],
    ['dexcom', 'name_unknown', 'provider_credential_error'],
  ])(
    '%s: a link during %s ends with %s, and succeeds afterwards',
    async (slug, trouble, errorType) => {
      await open(slug);
      const account = addAccount('Grace Hopper', slug === 'whoop');
      harness.simulator.troubles.begin(trouble);
      expect(await harness.attempt(await harness.newUser(), account)).toMatchObject({ state: 'error', errorType });
      harness.simulator.troubles.end();
      await harness.link(account);
    },
    limitMs,
  );

  test(
    'fitbit: a connection ends with its reason after the interface was shut down',
    async () => {
      await open('fitbit');
      const { connectionId } = await harness.link(addAccount('Ada Lovelace'));
      await harness.drainAll();
      harness.simulator.troubles.begin('shut_down');
      for (let polls = 0; polls < 8; polls++) {
        await harness.poll();
        await settle();
      }
      expect(await statusOf(database.current, connectionId)).toMatchObject({ status: 'error', error_type: 'deregistered_per_provider' });
    },
    limitMs,
  );

  test(
    'oura: a link during membership_lapsed succeeds, and the rings are listed as devices when it is over',
    async () => {
      await open('oura');
      harness.simulator.troubles.begin('membership_lapsed');
      const { connectionId, userId } = await harness.link(addAccount('Ada Lovelace'));
      harness.simulator.troubles.end();
      await harness.drainAll();
      await harness.poll(2 * dayMs);
      await harness.drainAll();
      expect(await statusOf(database.current, connectionId)).toMatchObject({ status: 'connected' });
      const devices = await database.current.sql`SELECT manufacturer, model FROM devices WHERE user_id = ${userId} ORDER BY model`;
      expect(devices).toEqual([
        { manufacturer: 'Oura', model: 'gen3' },
        { manufacturer: 'Oura', model: null },
      ]);
    },
    limitMs,
  );
});
