import { plainArray, type Tx } from '@pulsewire/database';

/** Erases what is known of a user's pulls, in the transaction that erases the user. A pull under way finds its window gone and writes nothing more. */
export async function erasePulls({ sql }: Tx, userId: string): Promise<void> {
  const plans = await sql<{ connection_id: string }[]>`DELETE FROM pull_plans WHERE user_id = ${userId} RETURNING connection_id`;
  // Windows before cursors, as at the end of a window: two transactions must not wait for each other.
  await sql`DELETE FROM pull_windows WHERE user_id = ${userId}`;
  await sql`DELETE FROM pull_cursors WHERE connection_id = ANY(${plainArray(plans.map((plan) => plan.connection_id))}::uuid[])`;
  await sql`DELETE FROM historical_pulls WHERE user_id = ${userId}`;
  await sql`DELETE FROM quarantine WHERE user_id = ${userId}`;
  await sql`DELETE FROM push_extents WHERE user_id = ${userId}`;
  await sql`DELETE FROM raw_answers WHERE user_id = ${userId}`;
}
