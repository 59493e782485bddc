import type { CanonicalRecord } from '@pulsewire/contract';
import { plainArray, textArray, type Tx } from '@pulsewire/database';
import type { IngestContext, IngestSettings } from '../context/context.ts';
import type { Pullable } from '../context/pullable.ts';
import type { RunningWindow } from '../windows/claim-window.ts';

/**
 * The provider accepted the request of this window and will send the data as notifications: the window stays open until they arrive, or for
 * `historyWaitMs`. Some may have arrived while the request was still in progress. The caller holds the window.
 */
export async function awaitPushedHistory({ sql }: Tx, window: RunningWindow, settings: IngestSettings, now: Date): Promise<void> {
  const at = now.toISOString();
  const after = (ms: number) => new Date(now.getTime() + ms).toISOString();
  await sql`
    UPDATE pull_windows SET state = 'planned', run_epoch = NULL, is_asked_again = false, attempts = 0, runs = runs + 1, error_code = NULL,
      accepted_at = ${at}, finished_at = ${at},
      due_at = CASE WHEN due_at > started_at THEN ${after(settings.historyQuietMs)}::timestamptz ELSE ${after(settings.historyWaitMs)}::timestamptz END
    WHERE window_id = ${window.windowId}`;
}

/** Local days that a record covers. */
function daysOf(record: CanonicalRecord): string[] {
  const dayOf = (ms: number, offset: number | null = 0) => new Date(ms + (offset ?? 0) * 1000).toISOString().slice(0, 10);
  if (record.kind === 'summary') return [record.calendarDate ?? dayOf(record.at)];
  if (record.kind === 'samples') return record.samples.map(({ ts, timezoneOffset }) => dayOf(ts, timezoneOffset));
  return record.kind === 'stream' && record.data.time.length > 0 ? [dayOf((record.data.time[0] ?? 0) * 1000)] : [];
}

/**
 * Records that pushes contained or announced data for the days of waiting windows. Such a window ends when no more data has arrived for
 * `historyQuietMs`, or when its wait is over.
 */
export async function notePushedHistory(
  context: Pick<IngestContext, 'clock' | 'jobs' | 'settings'>,
  tx: Tx,
  { connection, connector }: Pullable,
  collection: string,
  records: readonly CanonicalRecord[],
): Promise<void> {
  const pulls = connector.pulls.filter(({ fulfilledBy }) => fulfilledBy?.includes(collection));
  if (pulls.length === 0) return;
  const { connectionId } = connection;
  const names = textArray(pulls.map(({ name }) => name));
  const [open] = await tx.sql`
    SELECT 1 FROM pull_windows WHERE connection_id = ${connectionId} AND lane = 'backfill' AND pull = ANY(${names}::text[]) AND state IN ('planned', 'running', 'failed') LIMIT 1`;
  if (!open) return;
  const days = plainArray([...new Set(records.flatMap(daysOf))]);
  const { historyQuietMs, historyWaitMs } = context.settings;
  const now = context.clock.now();
  const quietAt = new Date(now.getTime() + historyQuietMs).toISOString();
  // The plan's row before its windows, as everywhere.
  await tx.sql`SELECT 1 FROM pull_plans WHERE connection_id = ${connectionId} FOR UPDATE`;
  const postponed = await tx.sql`
    UPDATE pull_windows w SET due_at = CASE WHEN w.state = 'running' THEN ${quietAt}::timestamptz
      ELSE least(w.accepted_at + ${historyWaitMs} * interval '1 millisecond', ${quietAt}::timestamptz) END
    WHERE w.connection_id = ${connectionId} AND w.lane = 'backfill' AND w.pull = ANY(${names}::text[])
      AND (w.state = 'running' OR (w.state = 'planned' AND w.accepted_at IS NOT NULL))
      AND EXISTS (SELECT 1 FROM unnest(${days}::date[]) AS n(day) WHERE n.day BETWEEN w.start_date AND w.end_date)
    RETURNING 1 AS postponed`;
  if (postponed.length > 0) await context.jobs.wake(tx, connectionId);
}
