import type { Tx } from '@pulsewire/database';
import type { PushNotice } from '@pulsewire/providers';
import type { IngestContext } from '../context/context.ts';
import type { Pullable } from '../context/pullable.ts';
import { nameObject } from '../sealed/named-object.ts';
import { addAnnouncedDays, addObjectWindow } from './live-windows.ts';
import { readCursors } from '../window/cursors.ts';
import { pullsOf } from './pulls-of.ts';
import { lockOrCreateSchedule } from '../connection-schedule/begin-schedule.ts';

/** A notice that announces something to read. */
export type ReadNotice = Extract<PushNotice, { kind: 'changed' | 'object' }>;

/** Plans the windows that these notices announce. */
export async function planNotices(
  { cipher, clock, jobs }: Pick<IngestContext, 'cipher' | 'clock' | 'jobs'>,
  tx: Tx,
  { connection, connector }: Pullable,
  notices: readonly ReadNotice[],
): Promise<void> {
  if (notices.length === 0) return;
  const now = clock.now();
  const { connectionId } = connection;
  await lockOrCreateSchedule(tx, connection, now);
  const pulls = pullsOf(connector, connection);
  const cursors = new Map([...(await readCursors(tx, connectionId))].map(([pull, { coveredTo }]) => [pull, { coveredTo }]));
  const changes = notices.filter((notice) => notice.kind === 'changed');
  // The newest first: it also covers the gap before it, which is then not planned again in other pieces.
  for (const { collection, window } of changes.toSorted((a, b) => b.window.endDate.localeCompare(a.window.endDate))) {
    const requested = pulls.filter((pull) => pull.collections.includes(collection));
    await addAnnouncedDays(tx, connection, requested, cursors, window, now);
    for (const { name } of requested)
      if ((cursors.get(name)?.coveredTo ?? window.endDate) < window.endDate) cursors.set(name, { coveredTo: window.endDate });
  }
  for (const notice of notices.filter(({ kind }) => kind === 'object') as Extract<ReadNotice, { kind: 'object' }>[]) {
    const requested = pulls.filter((pull) => pull.collections.includes(notice.collection));
    await addObjectWindow(tx, connection, requested, nameObject(cipher, connectionId, notice), now);
  }
  await jobs.wake(tx, connectionId);
}
