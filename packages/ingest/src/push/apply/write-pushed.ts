import { uuidv7, recordSpan, dayMs } from '@pulsewire/kernel';
import type { CanonicalRecord } from '@pulsewire/contract';
import { eq } from 'drizzle-orm';
import { run, type Executor, type Tx } from '@pulsewire/database';
import type { Emit } from '@pulsewire/eventlog';
import type { MappedRecords, PullLane } from '@pulsewire/providers';
import type { IngestContext } from '../../context/context.ts';
import { localDay } from '../../model/local-day.ts';
import { pullPlans } from '../../model/tables.ts';
import type { Pullable } from '../../context/pullable.ts';
import { sharingPulls } from '../../model/sharing-pulls.ts';
import { recordPushedWindow } from '../../window/count-window.ts';
import { recordChange } from '../../window/cursors.ts';
import { recordPushedHistory } from '../../records/record-pushed-history.ts';
import { confirmSeenAfter } from '../../records/seen-again.ts';
import { writePage } from '../../records/write-page.ts';

/** Records that came in a push. */
export interface PushedRecords {
  readonly collection: string;
  readonly mapped: MappedRecords;
}

/** The last instant of a record; null for a record without a time. */
function lastInstant(record: CanonicalRecord): number | null {
  if (record.kind === 'summary') return record.at;
  if (record.kind === 'samples') return record.samples.reduce((last, { ts }) => Math.max(last, ts), Number.NEGATIVE_INFINITY);
  if (record.kind === 'stream') return (record.data.time.at(-1) ?? 0) * 1000;
  return null;
}

/** Whether the record is from before the link, and therefore the result of a historical request. */
export function laneOf(record: CanonicalRecord, linkedMs: number): PullLane {
  const last = lastInstant(record);
  return last !== null && last < linkedMs - dayMs ? 'backfill' : 'live';
}

/** The window row for pushed data: it explains why a day has data, and owns its quarantine entries. */
export async function pushedWindow(tx: Tx, { connection, connector }: Pullable, collection: string, lane: PullLane, now: Date) {
  const day = localDay(connection, now);
  const pushed = { collection, rank: connector.pulls.length, lane, day, now };
  return { windowId: await recordPushedWindow(tx, connection, pushed), lane, day };
}

/** Time of the user's last link, ms since the epoch. */
export async function linkedAtMs({ orm }: Executor, { connection }: Pullable): Promise<number> {
  const { connectionId, linkedAt } = pullPlans;
  const [plan] = await run(orm.select({ linkedAt }).from(pullPlans).where(eq(connectionId, connection.connectionId)));
  return Date.parse(plan?.linkedAt ?? connection.createdAt.toISOString());
}

/** The pulls that read what these collections changed: those that follow the collection, and those that share a resource with its records. */
function pullsChangedBy(
  connector: Pullable['connector'],
  changed: ReadonlySet<string>,
  pushed: readonly PushedRecords[],
): readonly string[] {
  const followed = connector.pulls.filter(({ collections }) => collections.some((collection) => changed.has(collection)));
  const resources = pushed.flatMap(({ mapped }) => mapped.records.map(({ resource }) => resource));
  return sharingPulls(connector, [...new Set([...resources, ...followed.flatMap((pull) => pull.resources)])]);
}

/** Stores the data that a push contains for one connection, under the push's version, as live data or as requested history. */
export async function writePushed(
  context: IngestContext,
  tx: Tx,
  emit: Emit,
  found: Pullable,
  pushed: readonly PushedRecords[],
  version: bigint,
  isolatesRefused = false,
): Promise<void> {
  if (pushed.length === 0) return;
  const startedMs = context.clock.monotonicMs();
  const now = context.clock.now();
  const linkedMs = await linkedAtMs(tx, found);
  await confirmSeenAfter(tx, found.connection, version);
  const traceId = uuidv7().replaceAll('-', '');
  const byCollection = Map.groupBy(pushed, ({ collection }) => collection);
  const changed = new Set<string>();
  for (const [collection, parts] of byCollection) {
    await recordPushedHistory(
      context,
      tx,
      found,
      collection,
      parts.flatMap(({ mapped }) => mapped.records),
    );
  }
  for (const [collection, parts] of [...byCollection].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const lanes = Map.groupBy(
      parts.flatMap(({ mapped }) => mapped.records),
      (record) => laneOf(record, linkedMs),
    );
    const quarantined = parts.flatMap(({ mapped }) => mapped.quarantined);
    for (const lane of ['backfill', 'live'] as const) {
      const page = { version, records: lanes.get(lane) ?? [], quarantined: lane === 'live' ? quarantined : [] };
      if (page.records.length + page.quarantined.length === 0) continue;
      const { windowId } = await pushedWindow(tx, found, collection, lane, now);
      const { changes } = await writePage(context, tx, emit, found, { windowId, lane, traceId }, page, { now, isolatesRefused });
      if (changes > 0) changed.add(collection);
    }
  }
  if (changed.size > 0) await recordChange(tx, found.connection.connectionId, pullsChangedBy(found.connector, changed, pushed));
  const durationMs = context.clock.monotonicMs() - startedMs;
  recordSpan({ name: 'write notification', traceId, isRoot: true, durationMs, attributes: { provider: found.connector.slug } });
}
