import { dayMs, utcDay, addDays } from '@pulsewire/kernel';
import { plainArray, textArray, type Executor, type Tx } from '@pulsewire/database';
import type { PushNotice } from '@pulsewire/providers';
import type { IngestContext } from '../../context/context.ts';
import type { Pullable } from '../../context/pullable.ts';
import { countLeftOut } from '../../records/count-left-out.ts';

/** Notices of a push that are to be stored, and the version to store them under. */
export interface FilteredPart {
  readonly version: bigint;
  readonly notices: readonly PushNotice[];
}

type DataNotice = Extract<PushNotice, { kind: 'data' }>;
type GrowingNotice = DataNotice & Required<Pick<DataNotice, 'growth'>>;

/** A little longer than providers retry a push. An item that ended before this no longer grows, unless its provider says for how long. */
export const growthDays = 8;
/** Added to the stored extent of a final version, so that it exceeds that of every other. */
const finalExtent = 1e15;

const extentOf = ({ extent, isFinal }: GrowingNotice['growth']): number => (isFinal === true ? finalExtent + extent : extent);
const daysOf = ({ keepDays = growthDays }: GrowingNotice['growth']): number => Math.max(growthDays, keepDays);

/** The last final notice of each item, else the one with the largest extent; of equal ones the last. */
function furthest(notices: readonly GrowingNotice[]): GrowingNotice[] {
  const found = new Map<string, GrowingNotice>();
  for (const notice of notices) {
    const known = found.get(notice.growth.item);
    const isFurther = notice.growth.isFinal === true || (known !== undefined && extentOf(known.growth) <= extentOf(notice.growth));
    if (known === undefined || isFurther) found.set(notice.growth.item, notice);
  }
  return [...found.values()].toSorted((a, b) => (a.growth.item < b.growth.item ? -1 : 1));
}

interface Kept {
  readonly notice: GrowingNotice;
  readonly version: bigint;
}

/** The stored extent of items and its version, by connection and item. */
type Extents = ReadonlyMap<string, { readonly extent: number; readonly version: bigint }>;

interface Growing {
  readonly found: Pullable;
  readonly recent: readonly GrowingNotice[];
}

const extentKey = (connectionId: string, item: string) => `${connectionId} ${item}`;

/** Reads the stored extents of these items of all connections in one statement. */
async function readExtents({ sql }: Executor, growing: readonly Growing[]): Promise<Extents> {
  const pairs = growing.flatMap(({ found, recent }) => recent.map(({ growth }) => [found.connection.connectionId, growth.item] as const));
  if (pairs.length === 0) return new Map();
  const rows = await sql<{ connection_id: string; item: string; extent: string; version: string }[]>`
    SELECT e.connection_id, e.item, e.extent, e.version
    FROM unnest(${plainArray(pairs.map(([id]) => id))}::uuid[], ${textArray(pairs.map(([, item]) => item))}::text[]) AS n(connection_id, item)
    JOIN push_extents e USING (connection_id, item)`;
  return new Map(rows.map((row) => [extentKey(row.connection_id, row.item), { extent: Number(row.extent), version: BigInt(row.version) }]));
}

/** Final notices, and those whose extent is at least the stored one, with the versions to store them under. */
function judgeRecent(extents: Extents, { found, recent }: Growing, version: bigint): Kept[] {
  return recent.flatMap((notice) => {
    const before = extents.get(extentKey(found.connection.connectionId, notice.growth.item));
    const extent = extentOf(notice.growth);
    const isFinal = notice.growth.isFinal === true;
    if (before !== undefined && before.extent > extent && !isFinal) return [];
    // A lesser one that was received later is stored already: this one can replace it only under that version. Of two final ones the version decides.
    const isLesser = before !== undefined && before.extent < extent && !(isFinal && before.extent >= finalExtent);
    const isLifted = isLesser && before.version > version;
    return [{ notice, version: isLifted ? before.version : version }];
  });
}

async function recordExtents({ sql }: Tx, { connection }: Pullable, kept: readonly Kept[], now: Date): Promise<void> {
  const { connectionId, userId } = connection;
  const today = utcDay(now);
  // A row is deleted `growthDays` after this day.
  const seenOn = ({ growth }: GrowingNotice) => addDays(today, daysOf(growth) - growthDays);
  await sql`
    INSERT INTO push_extents AS e (connection_id, item, extent, version, user_id, seen_on)
    SELECT ${connectionId}::uuid, n.item, n.extent, n.version, ${userId}::uuid, n.seen_on
    FROM unnest(${textArray(kept.map(({ notice }) => notice.growth.item))}::text[], ${plainArray(kept.map(({ notice }) => extentOf(notice.growth)))}::bigint[],
      ${plainArray(kept.map((part) => part.version.toString()))}::bigint[], ${plainArray(kept.map(({ notice }) => seenOn(notice)))}::date[]) AS n(item, extent, version, seen_on)
    ON CONFLICT (connection_id, item) DO UPDATE SET extent = excluded.extent, version = greatest(e.version, excluded.version), seen_on = excluded.seen_on`;
}

function divide(notices: readonly PushNotice[], now: Date) {
  const isGrowing = (notice: PushNotice): notice is GrowingNotice => notice.kind === 'data' && notice.growth !== undefined;
  const isTracked = ({ growth }: GrowingNotice) => growth.endMs >= now.getTime() - daysOf(growth) * dayMs;
  const growing = furthest(notices.filter(isGrowing));
  const recent = growing.filter(isTracked);
  const others = [...notices.filter((notice) => !isGrowing(notice)), ...growing.filter((notice) => !isTracked(notice))];
  return { recent, others };
}

function inParts(others: readonly PushNotice[], kept: readonly Kept[], version: bigint): readonly FilteredPart[] {
  const byVersion = Map.groupBy(kept, (part) => part.version);
  const parts = [...byVersion].map(([of, list]) => ({ version: of, notices: list.map(({ notice }) => notice) }));
  const same = parts.filter((part) => part.version === version).flatMap((part) => part.notices);
  return [...parts.filter((part) => part.version !== version), { version, notices: [...others, ...same] }];
}

/** The notices of a push for one connection. */
export interface PushedTo {
  readonly found: Pullable;
  readonly notices: readonly PushNotice[];
}

/**
 * What `dropSuperseded` would return now, for all of these connections in order. Locks and writes nothing: a concurrent push may make it
 * outdated.
 */
export async function previewSuperseded(
  { clock }: Pick<IngestContext, 'clock'>,
  executor: Executor,
  pushed: readonly PushedTo[],
  version: bigint,
): Promise<readonly (readonly FilteredPart[])[]> {
  const divided = pushed.map(({ found, notices }) => ({ found, ...divide(notices, clock.now()) }));
  const extents = await readExtents(executor, divided);
  return divided.map((growing) => inParts(growing.others, judgeRecent(extents, growing, version), version));
}

/**
 * Drops partial notices of items of which a final version or a larger extent is stored, whichever was received last; returns the rest with the versions to store them
 * under. Notices without `growth` pass unchanged.
 */
export async function dropSuperseded(
  context: Pick<IngestContext, 'clock' | 'metrics'>,
  tx: Tx,
  found: Pullable,
  notices: readonly PushNotice[],
  version: bigint,
): Promise<readonly FilteredPart[]> {
  const now = context.clock.now();
  const { recent, others } = divide(notices, now);
  if (recent.length === 0) return [{ version, notices: others }];
  // Serialises the pushes of a connection: two concurrent ones with the same new item would both find none.
  await tx.sql`SELECT 1 FROM pull_plans WHERE connection_id = ${found.connection.connectionId} FOR UPDATE`;
  const growing = { found, recent };
  const kept = judgeRecent(await readExtents(tx, [growing]), growing, version);
  countLeftOut(context, found.connector.slug, 'superseded', recent.length - kept.length);
  await recordExtents(tx, found, kept, now);
  return inParts(others, kept, version);
}
