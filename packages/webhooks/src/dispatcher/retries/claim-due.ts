import { plainArray, type Executor } from '@pulsewire/database';
import { readEvents, type LogEvent } from '@pulsewire/eventlog';
import { readTestEvents } from '../../messages/test-events.ts';

/** Numbers of webhook_pending.lane. */
export const rowKinds = { retry: 0, replay: 1 } as const;
export type RowKind = keyof typeof rowKinds;

/** How many due rows an endpoint can accept. */
export interface ClaimRequest {
  readonly endpointId: string;
  readonly capacity: number;
  /**
   * How many of them are taken from the rows that became due last: those with the fewest attempts, newest messages first, spread over event
   * types, because receivers often reject one whole type.
   */
  readonly newest: number;
}

interface Row {
  endpoint_id: string;
  event_id: string;
  shard: number;
  offset: string;
  log_day: string;
  attempts: number;
  is_ordered: boolean;
  user_id: string | null;
  replay_id: string | null;
  event_type: string | null;
  is_superseded: boolean;
}

/** A row that we lease. */
export interface ClaimedRow {
  readonly endpointId: string;
  readonly eventId: string;
  readonly shard: number;
  readonly offset: number;
  readonly day: string;
  readonly attempts: number;
  readonly kind: RowKind;
  readonly isOrdered: boolean;
  readonly userId: string | null;
  readonly replayId: string | null;
  /** Null only in rows from before the column existed. */
  readonly eventType: string | null;
  /** Whether a newer version of its summary waits behind it. */
  readonly isSuperseded: boolean;
}

/**
 * Rows searched for the newest ones. A rejected message becomes due again after everything that waited meanwhile, so only the very last
 * rows would be the ones just rejected.
 */
const newestLooked = 512;

/**
 * Takes due rows of the given endpoints, the longest due first unless requested otherwise, and leases them. One index descent per requested
 * endpoint, so waiting rows and closed endpoints cost nothing (now() and not clock_timestamp(): a volatile bound would make the scan walk
 * all waiting rows). Uses arrays, which the planner estimates as short; it would expect `due` to contain a tenth of the due rows and scan
 * the table to join them. Skips rows that another dispatcher is claiming, and those whose lease ends at `endBefore` (an instant) or later
 * whatever the time, because the clock may have stepped since the lease was written.
 */
export async function claimDue(
  { sql }: Executor,
  kind: RowKind,
  requests: readonly ClaimRequest[],
  lease: { readonly owner: string; readonly leaseMs: number; readonly endBefore: string },
): Promise<readonly ClaimedRow[]> {
  if (requests.length === 0) return [];
  const rows = await sql<Row[]>`
    WITH due AS MATERIALIZED (
      SELECT p.endpoint_id, p.event_id
      FROM unnest(
        ${plainArray(requests.map((request) => request.endpointId))}::uuid[], ${plainArray(requests.map((request) => request.capacity - request.newest))}::int[],
        ${plainArray(requests.map((request) => request.newest))}::int[]
      ) AS a(endpoint_id, oldest, newest)
      CROSS JOIN LATERAL (
        SELECT * FROM (
          SELECT w.endpoint_id, w.event_id FROM webhook_pending w
          WHERE w.endpoint_id = a.endpoint_id AND w.lane = ${rowKinds[kind]} AND w.due_at <= now() AND (w.lease_until IS NULL OR w.lease_until < least(now(), ${lease.endBefore}::timestamptz))
          ORDER BY w.due_at LIMIT a.oldest FOR UPDATE SKIP LOCKED
        ) o
        UNION ALL
        SELECT * FROM (
          SELECT w.endpoint_id, w.event_id FROM (
            SELECT k.endpoint_id, k.event_id FROM (
              SELECT l.endpoint_id, l.event_id, l.event_type, l.attempts FROM webhook_pending l
              WHERE l.endpoint_id = a.endpoint_id AND l.lane = ${rowKinds[kind]} AND l.due_at <= now() AND (l.lease_until IS NULL OR l.lease_until < least(now(), ${lease.endBefore}::timestamptz))
              ORDER BY l.due_at DESC LIMIT ${newestLooked}
            ) k
            ORDER BY row_number() OVER (PARTITION BY k.event_type ORDER BY k.attempts, k.event_id DESC), random() LIMIT a.newest
          ) t JOIN webhook_pending w ON w.endpoint_id = t.endpoint_id AND w.event_id = t.event_id
          WHERE w.lane = ${rowKinds[kind]} AND w.due_at <= now() AND (w.lease_until IS NULL OR w.lease_until < least(now(), ${lease.endBefore}::timestamptz))
          FOR UPDATE OF w SKIP LOCKED
        ) n
      ) p
    )
    UPDATE webhook_pending w SET lease_owner = ${lease.owner}, lease_until = clock_timestamp() + ${lease.leaseMs}::int * interval '1 ms'
    FROM unnest(ARRAY(SELECT endpoint_id FROM due), ARRAY(SELECT event_id FROM due)) AS d(endpoint_id, event_id)
    WHERE w.endpoint_id = d.endpoint_id AND w.event_id = d.event_id
    RETURNING w.endpoint_id, w.event_id, w.shard, w."offset", w.log_day, w.attempts, w.is_ordered, w.user_id, w.replay_id, w.event_type,
      w.object_key IS NOT NULL AND EXISTS (
        SELECT FROM webhook_pending n
        WHERE n.endpoint_id = w.endpoint_id AND n.object_key = w.object_key AND n.user_id = w.user_id AND n.is_ordered AND n."offset" > w."offset") AS is_superseded`;
  return rows.map((row) => ({
    endpointId: row.endpoint_id,
    eventId: row.event_id,
    shard: row.shard,
    offset: Number(row.offset),
    day: row.log_day,
    attempts: row.attempts,
    kind,
    isOrdered: row.is_ordered,
    userId: row.user_id,
    replayId: row.replay_id,
    eventType: row.event_type,
    isSuperseded: row.is_superseded,
  }));
}

// Leased rows are at most what the endpoint queues hold, so this many rows always include the first free one.
const looked = 512;

/**
 * Milliseconds until the first row of each endpoint can be claimed; endpoints without such rows are left out. A row whose lease is still
 * honoured although the clock has passed its end is checked again in a second.
 */
export async function readNextDue(
  { sql }: Executor,
  kind: RowKind,
  endpointIds: readonly string[],
  leasesEndBefore: string,
): Promise<ReadonlyMap<string, number>> {
  if (endpointIds.length === 0) return new Map();
  const rows = await sql<{ endpoint_id: string; in_ms: string }[]>`
    SELECT a.endpoint_id, (extract(epoch FROM n.due_at - clock_timestamp()) * 1000)::bigint AS in_ms
    FROM unnest(${plainArray(endpointIds)}::uuid[]) AS a(endpoint_id)
    CROSS JOIN LATERAL (
      SELECT min(greatest(f.due_at, f.lease_until, CASE WHEN f.lease_until >= ${leasesEndBefore}::timestamptz THEN now() + interval '1 second' END)) AS due_at
      FROM (
        SELECT due_at, lease_until FROM webhook_pending w
        WHERE w.endpoint_id = a.endpoint_id AND w.lane = ${rowKinds[kind]} AND w.due_at < 'infinity' ORDER BY w.due_at LIMIT ${looked}
      ) f
    ) n
    WHERE n.due_at IS NOT NULL`;
  return new Map(rows.map((row) => [row.endpoint_id, Math.max(0, Number(row.in_ms))]));
}

/** Reads the events of claimed rows: from the log by address, and test events, which are not in the log. */
export async function readClaimed(executor: Executor, rows: readonly ClaimedRow[]): Promise<(row: ClaimedRow) => LogEvent | undefined> {
  const tests = rows.filter((row) => row.shard < 0).map((row) => row.eventId);
  const [events, testEvents] = await Promise.all([
    readEvents(
      executor,
      rows.filter((row) => row.shard >= 0),
    ),
    tests.length === 0 ? new Map<string, LogEvent>() : readTestEvents(executor, tests),
  ]);
  const byAddress = new Map(events.map((event) => [`${event.shard}:${event.offset}`, event]));
  return (row) => (row.shard < 0 ? testEvents.get(row.eventId) : byAddress.get(`${row.shard}:${row.offset}`));
}
