import type { Database } from '@pulsewire/database';

/** Columns with times of the database's clock, until which something waits. */
const waiting: readonly (readonly [table: string, ...columns: string[]])[] = [
  ['lab_partner_jobs', 'due_at', 'lease_until'],
  ['lab_reports', 'due_at'],
  ['lab_requests', 'running_until'],
  ['phone_batches', 'due_at'],
  ['pull_plans', 'lease_until'],
];

/**
 * Lets time pass: the clock of the process advances, and what waits by the clock of the database has waited that much longer.
 */
export async function passTime({ sql }: Pick<Database, 'sql'>, clock: { advance(ms: number): void }, ms: number): Promise<void> {
  clock.advance(ms);
  for (const [table, ...columns] of waiting) {
    const moved = columns.map((column) => `${column} = ${column} - interval '${ms} milliseconds'`).join(', ');
    await sql.unsafe(`UPDATE ${table} SET ${moved} WHERE ${columns.map((column) => `${column} IS NOT NULL`).join(' OR ')}`);
  }
}
