import { addDays, type Tx } from '@pulsewire/database';
import { insertWindows } from '../plan/insert-windows.ts';
import type { Pullable } from '../plan/pullable.ts';
import { pullsOf } from '../plan/pulls-of.ts';
import type { RunningWindow } from './claim-window.ts';

/**
 * Makes two windows of one that was cut short for lack of quota when its run before ended for the same reason, as `errorCode`
 * in its row tells: what needs more calls than its quota gives at a time would be read from the first one for ever. One day
 * and one object stay whole. The row keeps the newer days. The caller holds the plan's row and the window.
 */
export async function halveWindow(
  tx: Tx,
  { connection, connector }: Pullable,
  window: RunningWindow,
  errorCode: string,
  now: Date,
): Promise<void> {
  const { windowId, lane, objectId, startDate, endDate } = window;
  const pull = pullsOf(connector, connection).find(({ name }) => name === window.pull);
  if (objectId !== '' || !pull || pull.answeredBy) return;
  // As near to the middle as no other row has the newer part already, such as one of an earlier poll.
  const [row] = await tx.sql<{ start_date: string }[]>`
    UPDATE pull_windows w SET start_date = n.first_day
    FROM (
      SELECT ${startDate}::date + days AS first_day FROM generate_series(1, ${endDate}::date - ${startDate}::date) AS days
      WHERE NOT EXISTS (
        SELECT 1 FROM pull_windows o WHERE o.connection_id = ${connection.connectionId} AND o.pull = ${pull.name} AND o.lane = ${lane}
          AND o.start_date = ${startDate}::date + days AND o.end_date = ${endDate} AND o.object_id = ''
      )
      ORDER BY abs(days - (${endDate}::date - ${startDate}::date + 1) / 2.0), days DESC LIMIT 1
    ) n
    WHERE w.window_id = ${windowId} AND w.error_code = ${errorCode}
    RETURNING w.start_date`;
  if (!row) return;
  await insertWindows(tx, connection, lane, [{ pull, windows: [{ startDate, endDate: addDays(row.start_date, -1) }] }], now);
}
