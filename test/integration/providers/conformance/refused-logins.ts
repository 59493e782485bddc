import { expect } from 'vitest';
import type { Database } from '@pulsewire/database';
import type { SimulatedAccount } from '@pulsewire/sandbox';
import { eventsOf } from './stored.ts';
import type { ConformanceHarness } from './harness.ts';

/** `us`, `de`, …; some providers know them all. */
const contractRegions = ['us', 'de', 'br', 'il', 'za', 'kr'];

/**
 * Links that come to nothing: with a wrong password; by e-mail for a region elsewhere, and for a patient whom the practice does not have.
 * Asked for is not connected.
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
