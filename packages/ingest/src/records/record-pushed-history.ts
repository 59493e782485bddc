import { utcDay } from '@pulsewire/kernel';
import type { CanonicalRecord } from '@pulsewire/contract';
import type { Tx } from '@pulsewire/database';
import type { IngestContext, IngestSettings } from '../context/context.ts';
import type { Pullable } from '../context/pullable.ts';
import { lockSchedule } from '../connection-schedule/stop-schedule.ts';
import { hasOpenHistory, postponeAwaiting, type NotificationWait } from '../window/leave-window.ts';

/** How long a history waits for its notifications. */
export function notificationWait(settings: Pick<IngestSettings, 'historyQuietMs' | 'historyWaitMs'>): NotificationWait {
  return { quietMs: settings.historyQuietMs, waitMs: settings.historyWaitMs };
}

/** Local days that a record covers. */
function daysOf(record: CanonicalRecord): string[] {
  const dayOf = (ms: number, offset: number | null = 0) => utcDay(ms + (offset ?? 0) * 1000);
  if (record.kind === 'summary') return [record.calendarDate ?? dayOf(record.at)];
  if (record.kind === 'samples') return record.samples.map(({ ts, timezoneOffset }) => dayOf(ts, timezoneOffset));
  return record.kind === 'stream' && record.data.time.length > 0 ? [dayOf((record.data.time[0] ?? 0) * 1000)] : [];
}

/**
 * Records that pushes contained or announced data for the days of waiting windows. Such a window ends when no more data has arrived for
 * `historyQuietMs`, or when its wait is over.
 */
export async function recordPushedHistory(
  context: Pick<IngestContext, 'clock' | 'jobs' | 'settings'>,
  tx: Tx,
  { connection, connector }: Pullable,
  collection: string,
  records: readonly CanonicalRecord[],
): Promise<void> {
  const pulls = connector.pulls.filter(({ fulfilledBy }) => fulfilledBy?.includes(collection));
  if (pulls.length === 0) return;
  const { connectionId } = connection;
  const names = pulls.map(({ name }) => name);
  if (!(await hasOpenHistory(tx, connectionId, names))) return;
  const days = [...new Set(records.flatMap(daysOf))];
  // Before its windows: packages/database/LOCKS.md.
  await lockSchedule(tx, connectionId);
  const postponed = { pulls: names, days, wait: notificationWait(context.settings), now: context.clock.now() };
  if (await postponeAwaiting(tx, connectionId, postponed)) await context.jobs.wake(tx, connectionId);
}
