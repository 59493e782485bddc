import { sleep } from '@pulsewire/kernel';
import type { Database } from '@pulsewire/database';
import type { Child } from '../harness/child.ts';

const quietMaxMs = 120_000;
const settleMaxMs = 180_000;
/** Calls that look for late arrivals, at growing intervals. */
const looking = ['release_booking', 'release_twins', 'withdraw_order', 'withdraw_kit'];

const startMaxMs = 60_000;

/** Asks a company, which may have been killed a moment ago. */
async function ask(url: string): Promise<unknown> {
  for (let waitedMs = 0; ; waitedMs += 200) {
    const response = await fetch(url).catch((error: unknown) => {
      if (waitedMs >= startMaxMs) throw error;
      return null;
    });
    if (response) return response.json();
    await sleep(200);
  }
}

/** Waits until the companies have no webhook left to send. */
async function announced(urls: readonly string[]): Promise<string | null> {
  let states: readonly { readonly pending: number }[] = [];
  for (let waitedMs = 0; waitedMs < quietMaxMs; waitedMs += 500) {
    await sleep(500);
    states = await Promise.all(urls.map(async (url) => (await ask(`${url}/state`)) as { readonly pending: number }));
    if (states.every(({ pending }) => pending === 0)) return null;
  }
  return `Webhooks are not confirmed: ${JSON.stringify(states.map((state) => ({ ...state, bookings: 0, orders: 0, parcels: 0 })))}`;
}

/**
 * Waits until no call to a partner is left. Leases of dead processes, and pauses before a partner is called again, last for minutes: the
 * processes are restarted, and waiting calls are made due every second (in milliseconds, as the workers compare these times).
 */
async function settled({ sql }: Database, callers: readonly Child[]): Promise<string | null> {
  await Promise.all(callers.map((child) => child.stop()));
  await sql`UPDATE lab_partner_jobs SET lease_until = NULL`;
  for (const child of callers) child.start();
  let hasPolled = false;
  for (let waitedMs = 0; waitedMs < settleMaxMs; waitedMs += 1000) {
    // Appointments are polled until their day.
    const jobs = await sql<{ n: number }[]>`
      SELECT count(*)::int AS n FROM lab_partner_jobs WHERE kind <> 'watch_appointment' OR lease_until > now() OR due_at <= now()`;
    if (jobs[0]?.n === 0) {
      if (hasPolled) return null;
      hasPolled = true;
      // Nobody announces changes to a sandbox; those of other teams must have been polled because of a webhook.
      await sql`UPDATE lab_partner_jobs j SET due_at = date_trunc('milliseconds', now()) FROM teams t WHERE t.team_id = j.team_id AND t.is_sandbox`;
    }
    await sql`UPDATE lab_partner_jobs SET due_at = date_trunc('milliseconds', now()) WHERE kind = ANY (${looking}) AND due_at > now() AND lease_until IS NULL`;
    await sql`UPDATE lab_partner_jobs SET due_at = date_trunc('milliseconds', now()) WHERE kind = 'watch_appointment' AND last_error IS NOT NULL AND lease_until IS NULL`;
    await sleep(1000);
  }
  const left =
    await sql`SELECT kind, partner, attempts, last_error, due_at - now() AS due, lease_until - now() AS leased FROM lab_partner_jobs ORDER BY due_at LIMIT 20`;
  return `Calls are left: ${JSON.stringify(left)}`;
}

/**
 * Stops the companies' own work, and waits until nothing is in progress: the end of a call may be announced by a webhook, which causes
 * calls. Returns what did not end.
 */
export async function quiet(database: Database, companies: readonly string[], callers: readonly Child[]): Promise<string | null> {
  for (const url of companies) await ask(`${url}/calm`);
  for (let round = 0; round < 2; round++) {
    const left = (await announced(companies)) ?? (await settled(database, callers));
    if (left !== null) return left;
  }
  return null;
}
