import type { Database } from '@pulsewire/database';
import type { ConformanceHarness, Linked } from '../../integration/providers/conformance/harness.ts';
import type { SimulatedAccount } from '@pulsewire/sandbox';
import { minimumCalls } from './minimum-calls.ts';

const minuteMs = 60_000;
const stepMinutes = 15;
const minutesPerHour = 60;
const hoursPerDay = 24;
/** Steps between two syncs of a device: once an hour. */
const stepsPerSync = 4;

export interface CallCount {
  /** Calls of the API, sign-ins and renewals excluded. */
  readonly perUserDay: number;
  /** What the provider's documented interface needs. */
  readonly minimum: number;
}

const notApi = new Set(['token', 'authorize', 'revoke', 'login', 'unknown']);

function callsOf({ simulator }: ConformanceHarness): number {
  const ofApi = Object.entries(simulator.statistics().requests).filter(([kind]) => !notApi.has(kind));
  return ofApi.reduce((sum, [, byStatus]) => sum + Object.values(byStatus).reduce((total, count) => total + count, 0), 0);
}

/** Counts the calls of some users while they are polled as often as in production, without failures. */
export async function countCalls(
  database: Database,
  harness: ConformanceHarness,
  members: readonly (Linked & { readonly account: SimulatedAccount })[],
  hours: number,
  settle: () => Promise<void>,
): Promise<CallCount> {
  await database.sql`
    UPDATE pull_plans SET next_pull_at = ${harness.clock.now().toISOString()}::timestamptz + interval '1 year'
    WHERE connection_id <> ALL(${members.map(({ connectionId }) => connectionId)}::uuid[])`;
  const before = callsOf(harness);
  const steps = (hours * minutesPerHour) / stepMinutes;
  for (let step = 0; step < steps; step++) {
    if (step % stepsPerSync === 0) for (const { account } of members) account.makeNewData();
    await harness.poll(stepMinutes * minuteMs);
    await settle();
  }
  const perUserDay = ((callsOf(harness) - before) / members.length / hours) * hoursPerDay;
  return { perUserDay, minimum: minimumCalls(harness.connector.slug) };
}
