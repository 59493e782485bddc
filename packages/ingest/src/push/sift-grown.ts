import { plainArray, textArray, type Tx } from '@pulsewire/database';
import type { PushNotice } from '@pulsewire/providers';
import type { IngestContext } from '../context.ts';
import type { Pullable } from '../plan/pullable.ts';

/** What of a push is to be stored, and under which version. */
export interface SiftedPart {
  readonly version: bigint;
  readonly notices: readonly PushNotice[];
}

type DataNotice = Extract<PushNotice, { kind: 'data' }>;
type Grown = DataNotice & Required<Pick<DataNotice, 'growth'>>;

/** A little longer than providers repeat a push that was not accepted. What ended before does not grow any more. */
export const growthDays = 8;
const dayMs = 86_400_000;

/** Of several pushes of one item the one that goes furthest; of equal ones the last. */
function furthest(notices: readonly Grown[]): Grown[] {
  const found = new Map<string, Grown>();
  for (const notice of notices) {
    const known = found.get(notice.growth.item);
    if (known === undefined || known.growth.extent <= notice.growth.extent) found.set(notice.growth.item, notice);
  }
  return [...found.values()].toSorted((a, b) => (a.growth.item < b.growth.item ? -1 : 1));
}

async function siftRecent(tx: Tx, { connection }: Pullable, notices: readonly Grown[], version: bigint, now: Date): Promise<SiftedPart[]> {
  const { connectionId, userId } = connection;
  // One push of a connection after the other: two that bring a new item at once would both find none.
  await tx.sql`SELECT 1 FROM pull_plans WHERE connection_id = ${connectionId} FOR UPDATE`;
  const items = textArray(notices.map(({ growth }) => growth.item));
  const rows = await tx.sql<{ item: string; extent: string; version: string }[]>`
    SELECT item, extent, version FROM push_extents WHERE connection_id = ${connectionId} AND item = ANY(${items}::text[])`;
  const known = new Map(rows.map((row) => [row.item, { extent: Number(row.extent), version: BigInt(row.version) }]));
  const kept = notices.flatMap((notice) => {
    const before = known.get(notice.growth.item);
    if (before !== undefined && before.extent > notice.growth.extent) return [];
    // A lesser one that was received later is stored already: only under its version can this one take its place.
    const isLifted = before !== undefined && before.extent < notice.growth.extent && before.version > version;
    return [{ notice, version: isLifted ? before.version : version }];
  });
  await tx.sql`
    INSERT INTO push_extents AS e (connection_id, item, extent, version, user_id, seen_on)
    SELECT ${connectionId}::uuid, n.item, n.extent, n.version, ${userId}::uuid, ${now.toISOString().slice(0, 10)}::date
    FROM unnest(${textArray(kept.map(({ notice }) => notice.growth.item))}::text[], ${plainArray(kept.map(({ notice }) => notice.growth.extent))}::bigint[],
      ${plainArray(kept.map((part) => part.version.toString()))}::bigint[]) AS n(item, extent, version)
    ON CONFLICT (connection_id, item) DO UPDATE SET extent = excluded.extent, version = greatest(e.version, excluded.version), seen_on = excluded.seen_on`;
  const byVersion = Map.groupBy(kept, (part) => part.version);
  return [...byVersion].map(([of, parts]) => ({ version: of, notices: parts.map(({ notice }) => notice) }));
}

/**
 * Leaves out what a push brings of an item that went further before, whichever of the two was received last; the rest comes back with
 * the versions under which it is to be stored. Notices that tell of no growth pass as they are.
 */
export async function siftGrown(
  { clock }: Pick<IngestContext, 'clock'>,
  tx: Tx,
  found: Pullable,
  notices: readonly PushNotice[],
  version: bigint,
): Promise<readonly SiftedPart[]> {
  const now = clock.now();
  const since = now.getTime() - growthDays * dayMs;
  const isGrowing = (notice: PushNotice): notice is Grown => notice.kind === 'data' && notice.growth !== undefined;
  const growing = furthest(notices.filter(isGrowing));
  const recent = growing.filter(({ growth }) => growth.endMs >= since);
  const others = [...notices.filter((notice) => !isGrowing(notice)), ...growing.filter(({ growth }) => growth.endMs < since)];
  if (recent.length === 0) return [{ version, notices: others }];
  const parts = await siftRecent(tx, found, recent, version, now);
  const same = parts.filter((part) => part.version === version).flatMap((part) => part.notices);
  return [...parts.filter((part) => part.version !== version), { version, notices: [...others, ...same] }];
}
