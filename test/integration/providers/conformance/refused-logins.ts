import { expect } from 'vitest';
import type { Database } from '@pulsewire/database';
import type { SimulatedAccount } from '@pulsewire/sandbox';
import { rules } from './rules.ts';
import { eventsOf } from './stored.ts';
import type { ConformanceHarness } from './harness.ts';

/** `us`, `de`, …; some providers support all of them. */
const contractRegions = ['us', 'de', 'br', 'il', 'za', 'kr'];

/** The results of links when the user denies the consent, and when the provider issues no token. */
export async function failedConsents(harness: ConformanceHarness, userId: string, account: SimulatedAccount) {
  const denied = await harness.attempt(userId, account, { decision: 'deny' });
  harness.simulator.faults.force('token_http_503', 5);
  const failed = await harness.attempt(userId, account);
  harness.simulator.faults.clear();
  return [denied, failed];
}

/**
 * Links that fail: with a wrong password; by e-mail for an unsupported region, and for a patient unknown to the practice.
 * A requested link by e-mail is not a connection yet.
 */
export async function expectLoginRefusals(
  database: Database,
  harness: ConformanceHarness,
  userId: string,
  account: SimulatedAccount,
): Promise<void> {
  const { email } = harness.connector;
  if (email === null) {
    const wrong = await harness.attempt(userId, account, { password: 'wrong-password' });
    return expect(wrong).toMatchObject({ state: 'error', errorType: 'provider_credential_error' });
  }
  const elsewhere = contractRegions.find((region) => email.regions?.includes(region) === false);
  if (elsewhere !== undefined)
    expect(await harness.attempt(userId, account, { region: elsewhere })).toMatchObject({ errorType: 'unsupported_region' });
  const nobody = await harness.attempt(userId, account, { patientId: 'nobody-of-this-practice' });
  expect(nobody).toMatchObject({ state: 'error', errorType: 'provider_credential_error' });
  expect(await database.sql`SELECT 1 FROM connections WHERE user_id = ${userId}`).toHaveLength(0);
  expect(await eventsOf(database, userId, 'provider.%')).toEqual([]);
}

/** A link with a wrong code fails, and one with the right code succeeds. */
export async function expectMfaRefusal(harness: ConformanceHarness, settle: () => Promise<void>): Promise<void> {
  const careful = harness.simulator.addAccount({ name: 'Careful Carla', timeZone: 'Europe/Berlin', wantsMfa: true });
  const failed = await harness.attempt(await harness.newUser(), careful, { mfaCode: '000000' });
  expect(failed, rules.failedLink).toMatchObject({ state: 'error', errorType: 'incorrect_mfa_code' });
  const userId = await harness.newUser(careful, 1);
  expect(await harness.attempt(userId, careful)).toMatchObject({ state: 'success' });
  await settle();
  await harness.deregister(userId);
}
