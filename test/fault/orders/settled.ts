import { sleep } from '@pulsewire/kernel';
import type { Database } from '@pulsewire/database';
import type { Child } from '../harness/child.ts';

const quietMaxMs = 120_000;
const settleMaxMs = 180_000;
/** Calls that look for late arrivals, at growing intervals. */
const looking = ['release_booking', 'release_twins', 'withdraw_order', 'withdraw_kit'];

/** Waits until the companies have no webhook left to send. */
async function announced(urls: readonly string[]): Promise<boolean> {
  for (let waitedMs = 0; waitedMs < quietMaxMs; waitedMs += 500) {
    await sleep(500);
    const states = await Promise.all(urls.map(async (url) => (await (await fetch(`${url}/state`)).json()) as { readonly pending: number }));
    if (states.every(({ pending }) => pending === 0)) return true;
  }
  return false;
}

/**
 * Waits until no call to a partner is left. Leases of dead processes, and pauses before a partner is called again, last for minutes: the
 * processes are restarted, and waiting calls are made due every second.
 */
async function settled({ sql }: Database, apis: readonly Child[]): Promise<boolean> {
  await Promise.all(apis.map((child) => child.stop()));
  await sql`UPDATE lab_partner_jobs SET lease_until = NULL`;
  for (const child of apis) child.start();
  let hasPolled = false;
  for (let waitedMs = 0; waitedMs < settleMaxMs; waitedMs += 1000) {
    // Appointments are polled until their day.
    const jobs = await sql<{ n: number }[]>`
      SELECT count(*)::int AS n FROM lab_partner_jobs WHERE kind <> 'watch_appointment' OR lease_until > now() OR due_at <= now()`;
    if (jobs[0]?.n === 0) {
      if (hasPolled) return true;
      hasPolled = true;
      // Nobody announces changes to a sandbox; those of other teams must have been polled because of a webhook.
      await sql`UPDATE lab_partner_jobs j SET due_at = now() FROM teams t WHERE t.team_id = j.team_id AND t.is_sandbox`;
    }
    await sql`UPDATE lab_partner_jobs SET due_at = now() WHERE kind = ANY (${looking}) AND due_at > now() AND lease_until IS NULL`;
    await sleep(1000);
  }
  return false;
}

/** Stops the companies' own work, and waits until nobody has anything left to say: the end of a call may be announced by a webhook, which causes calls. */
export async function quiet(database: Database, companies: readonly string[], apis: readonly Child[]): Promise<boolean> {
  for (const url of companies) await fetch(`${url}/calm`);
  for (let round = 0; round < 2; round++) if (!(await announced(companies)) || !(await settled(database, apis))) return false;
  return true;
}
