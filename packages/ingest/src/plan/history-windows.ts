import { addDays } from '@pulsewire/kernel';
import { textArray, type Tx } from '@pulsewire/database';
import { historyDaysOf, type PullConnection } from '@pulsewire/connections';
import { historyDepth } from '@pulsewire/providers';
import { cutWindows } from './cut-windows.ts';
import { addWindows, type RankedPull, type WindowPlan } from '../window/add-windows.ts';

/**
 * Plans the historical pull of these pulls: everything before `today`, which live pulls read, back to the team's or each pull's depth and
 * within the user's bounds. Records per resource that its history is being read.
 */
export async function addHistoryWindows(
  tx: Tx,
  connection: PullConnection,
  pulls: readonly RankedPull[],
  today: string,
  now: Date,
): Promise<number> {
  const wantedDays = await historyDaysOf(tx, connection.teamId);
  const plans: WindowPlan[] = [];
  const starts = new Map<string, string>();
  for (const pull of pulls) {
    const range = { startDate: addDays(today, -historyDepth(pull, wantedDays)), endDate: addDays(today, -1) };
    const windows = cutWindows(range, pull.chunkDays, connection);
    const oldest = windows.at(-1);
    if (!oldest) continue;
    plans.push({ pull, windows });
    for (const resource of pull.resources) {
      const known = starts.get(resource);
      if (known === undefined || oldest.startDate < known) starts.set(resource, oldest.startDate);
    }
  }
  const at = now.toISOString();
  // Windows before histories, as at the end of a window: two transactions must not wait for each other.
  const planned = await addWindows(tx, connection, 'backfill', plans, now);
  await tx.sql`
    INSERT INTO historical_pulls AS h (connection_id, resource, team_id, user_id, start_date, end_at, planned_at)
    SELECT ${connection.connectionId}::uuid, n.resource, ${connection.teamId}::uuid, ${connection.userId}::uuid, n.start_date::date, ${at}::timestamptz, ${at}::timestamptz
    FROM unnest(${textArray([...starts.keys()])}::text[], ${textArray([...starts.values()])}::text[]) AS n(resource, start_date)
    ORDER BY n.resource
    ON CONFLICT (connection_id, resource) DO UPDATE SET
      start_date = excluded.start_date, end_at = excluded.end_at, planned_at = excluded.planned_at, completed_at = NULL`;
  return planned;
}
