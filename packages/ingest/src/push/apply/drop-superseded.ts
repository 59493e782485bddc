import { plainArray, textArray, type Executor, type Tx } from '@pulsewire/database';
import type { PushNotice } from '@pulsewire/providers';
import type { IngestContext } from '../../context/context.ts';
import type { Pullable } from '../../context/pullable.ts';

/** What of a push is to be stored, and under which version. */
export interface SiftedPart {
  readonly version: bigint;
  readonly notices: readonly PushNotice[];
}

type DataNotice = Extract<PushNotice, { kind: 'data' }>;
type GrowingNotice = DataNotice & Required<Pick<DataNotice, 'growth'>>;

/** A little longer than providers repeat a push that was not accepted. What ended before does not grow any more. */
export const growthDays = 8;
const dayMs = 86_400_000;

/** Of several pushes of one item the one that goes furthest; of equal ones the last. */
function furthest(notices: readonly GrowingNotice[]): GrowingNotice[] {
  const found = new Map<string, GrowingNotice>();
  for (const notice of notices) {
    const known = found.get(notice.growth.item);
    if (known === undefined || known.growth.extent <= notice.growth.extent) found.set(notice.growth.item, notice);
  }
  return [...found.values()].toSorted((a, b) => (a.growth.item < b.growth.item ? -1 : 1));
}

interface Kept {
  readonly notice: GrowingNotice;
  readonly version: bigint;
}

/** How far items have gone, and under which version that was stored; by connection and item. */
type Extents = ReadonlyMap<string, { readonly extent: number; readonly version: bigint }>;

interface Growing {
  readonly found: Pullable;
  readonly recent: readonly GrowingNotice[];
}

const extentKey = (connectionId: string, item: string) => `${connectionId} ${item}`;

/** What is known of these items of any number of connections. One statement. */
async function readExtents({ sql }: Executor, growing: readonly Growing[]): Promise<Extents> {
  const pairs = growing.flatMap(({ found, recent }) => recent.map(({ growth }) => [found.connection.connectionId, growth.item] as const));
  if (pairs.length === 0) return new Map();
  const rows = await sql<{ connection_id: string; item: string; extent: string; version: string }[]>`
    SELECT e.connection_id, e.item, e.extent, e.version
    FROM unnest(${plainArray(pairs.map(([id]) => id))}::uuid[], ${textArray(pairs.map(([, item]) => item))}::text[]) AS n(connection_id, item)
    JOIN push_extents e USING (connection_id, item)`;
  return new Map(rows.map((row) => [extentKey(row.connection_id, row.item), { extent: Number(row.extent), version: BigInt(row.version) }]));
}

/** Those that go no less far than what was stored of their items, with the versions under which they are to be stored. */
function judgeRecent(extents: Extents, { found, recent }: Growing, version: bigint): Kept[] {
  return recent.flatMap((notice) => {
    const before = extents.get(extentKey(found.connection.connectionId, notice.growth.item));
    if (before !== undefined && before.extent > notice.growth.extent) return [];
    // A lesser one that was received later is stored already: only under its version can this one take its place.
    const isLifted = before !== undefined && before.extent < notice.growth.extent && before.version > version;
    return [{ notice, version: isLifted ? before.version : version }];
  });
}

async function noteExtents({ sql }: Tx, { connection }: Pullable, kept: readonly Kept[], now: Date): Promise<void> {
  const { connectionId, userId } = connection;
  await sql`
    INSERT INTO push_extents AS e (connection_id, item, extent, version, user_id, seen_on)
    SELECT ${connectionId}::uuid, n.item, n.extent, n.version, ${userId}::uuid, ${now.toISOString().slice(0, 10)}::date
    FROM unnest(${textArray(kept.map(({ notice }) => notice.growth.item))}::text[], ${plainArray(kept.map(({ notice }) => notice.growth.extent))}::bigint[],
      ${plainArray(kept.map((part) => part.version.toString()))}::bigint[]) AS n(item, extent, version)
    ON CONFLICT (connection_id, item) DO UPDATE SET extent = excluded.extent, version = greatest(e.version, excluded.version), seen_on = excluded.seen_on`;
}

function divide(notices: readonly PushNotice[], now: Date) {
  const since = now.getTime() - growthDays * dayMs;
  const isGrowing = (notice: PushNotice): notice is GrowingNotice => notice.kind === 'data' && notice.growth !== undefined;
  const growing = furthest(notices.filter(isGrowing));
  const recent = growing.filter(({ growth }) => growth.endMs >= since);
  const others = [...notices.filter((notice) => !isGrowing(notice)), ...growing.filter(({ growth }) => growth.endMs < since)];
  return { recent, others };
}

function inParts(others: readonly PushNotice[], kept: readonly Kept[], version: bigint): readonly SiftedPart[] {
  const byVersion = Map.groupBy(kept, (part) => part.version);
  const parts = [...byVersion].map(([of, list]) => ({ version: of, notices: list.map(({ notice }) => notice) }));
  const same = parts.filter((part) => part.version === version).flatMap((part) => part.notices);
  return [...parts.filter((part) => part.version !== version), { version, notices: [...others, ...same] }];
}

/** What of a push is about one connection. */
export interface PushedTo {
  readonly found: Pullable;
  readonly notices: readonly PushNotice[];
}

/**
 * What `dropSuperseded` would give now, for any number of connections in their order. Locks and notes nothing: a push that is worked on at the
 * same time may make it untrue.
 */
export async function previewSuperseded(
  { clock }: Pick<IngestContext, 'clock'>,
  executor: Executor,
  pushed: readonly PushedTo[],
  version: bigint,
): Promise<readonly (readonly SiftedPart[])[]> {
  const divided = pushed.map(({ found, notices }) => ({ found, ...divide(notices, clock.now()) }));
  const extents = await readExtents(executor, divided);
  return divided.map((growing) => inParts(growing.others, judgeRecent(extents, growing, version), version));
}

/**
 * Leaves out what a push brings of an item that went further before, whichever of the two was received last; the rest comes back with
 * the versions under which it is to be stored. Notices that tell of no growth pass as they are.
 */
export async function dropSuperseded(
  { clock }: Pick<IngestContext, 'clock'>,
  tx: Tx,
  found: Pullable,
  notices: readonly PushNotice[],
  version: bigint,
): Promise<readonly SiftedPart[]> {
  const now = clock.now();
  const { recent, others } = divide(notices, now);
  if (recent.length === 0) return [{ version, notices: others }];
  // One push of a connection after the other: two that bring a new item at once would both find none.
  await tx.sql`SELECT 1 FROM pull_plans WHERE connection_id = ${found.connection.connectionId} FOR UPDATE`;
  const growing = { found, recent };
  const kept = judgeRecent(await readExtents(tx, [growing]), growing, version);
  await noteExtents(tx, found, kept, now);
  return inParts(others, kept, version);
}
