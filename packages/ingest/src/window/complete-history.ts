import { findResource, historicalEventType, renderDateTime, type HistoricalPullCompleted } from '@pulsewire/contract';
import { jsonEvent, withEvents, type Emit } from '@pulsewire/eventlog';
import { uuidv7, type Clock } from '@pulsewire/kernel';
import { connectionForPull, type PullConnection } from '@pulsewire/connections';
import { textArray, type Database, type Tx } from '@pulsewire/database';

type HistoryGap = NonNullable<HistoricalPullCompleted['gaps']>[number];

export interface EndedBackfill {
  readonly resources: readonly string[];
  readonly traceId: string;
}

/**
 * Called when a backfill window has ended, in its transaction: emits one completed event for each of its resources that has no open
 * backfill window left. Two windows that end concurrently are serialised by the resource's row, so the second one sees the first, and
 * exactly one of them completes it.
 */
export async function completeHistory(tx: Tx, emit: Emit, connection: PullConnection, ended: EndedBackfill, now: Date): Promise<void> {
  const { connectionId } = connection;
  const names = textArray(ended.resources);
  await tx.sql`
    SELECT 1 FROM historical_pulls WHERE connection_id = ${connectionId} AND resource = ANY(${names}::text[]) AND completed_at IS NULL
    ORDER BY resource FOR UPDATE`;
  const completed = await tx.sql<{ resource: string; start_date: string; end_at: string }[]>`
    UPDATE historical_pulls h SET completed_at = ${now.toISOString()}
    WHERE h.connection_id = ${connectionId} AND h.resource = ANY(${names}::text[]) AND h.completed_at IS NULL
      AND NOT EXISTS (
        SELECT 1 FROM pull_windows w
        WHERE w.connection_id = h.connection_id AND w.lane = 'backfill' AND w.state IN ('planned', 'running', 'failed') AND h.resource = ANY(w.resources)
      )
    RETURNING h.resource, h.start_date, h.end_at`;
  if (completed.length === 0) return;
  const gaps = await readGaps(
    tx,
    connectionId,
    completed.map(({ resource }) => resource),
  );
  for (const { resource, start_date: startDate, end_at: endAt } of completed) {
    const from = new Date(`${startDate}T00:00:00Z`);
    const history = { resource, from, to: new Date(endAt), gaps: gaps.get(resource) ?? null, traceId: ended.traceId };
    emitHistoryCompleted(emit, connection, history);
  }
}

const gapsMax = 100;

/** Windows of these resources that were given up, the oldest first, at most 100 of each resource. */
async function readGaps({ sql }: Tx, connectionId: string, resources: readonly string[]): Promise<ReadonlyMap<string, HistoryGap[]>> {
  const rows = await sql<{ resource: string; start_date: string; end_date: string; error_code: string | null }[]>`
    SELECT r.resource, w.start_date::text AS start_date, w.end_date::text AS end_date, w.error_code
    FROM unnest(${textArray(resources)}::text[]) AS r(resource)
    CROSS JOIN LATERAL (
      SELECT w.start_date, w.end_date, w.error_code FROM pull_windows w
      WHERE w.connection_id = ${connectionId} AND w.lane = 'backfill' AND w.state = 'given_up' AND r.resource = ANY(w.resources)
      ORDER BY w.start_date LIMIT ${gapsMax}
    ) w`;
  const gaps = new Map<string, HistoryGap[]>();
  for (const { resource, start_date: startDate, end_date: endDate, error_code: errorCode } of rows) {
    const gap = { start_date: startDate, end_date: endDate, error_code: errorCode ?? 'unknown' };
    gaps.set(resource, [...(gaps.get(resource) ?? []), gap]);
  }
  return gaps;
}

/**
 * Completes histories without an open window that no ending window completed: all their windows had been given up before, or are gone.
 * Reads `limit` connections at a time; returns how many it checked. Connections that can no longer be read are skipped. Throws when some
 * could not be completed, after the others.
 */
export async function completeIdleHistories(
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  limit = 100,
): Promise<number> {
  let looked = 0;
  let after: string | null = null;
  const errors: unknown[] = [];
  do {
    const idle: readonly IdleHistory[] = await readIdle(database, after, limit);
    for (const { connection_id: connectionId, resources } of idle) {
      const completed = withEvents(database, async (tx, emit) => {
        const connection = await connectionForPull(tx, connectionId);
        if (connection) await completeHistory(tx, emit, connection, { resources, traceId: uuidv7().replaceAll('-', '') }, clock.now());
      });
      await completed.catch((error: unknown) => errors.push(error));
    }
    looked += idle.length;
    after = idle.length === limit ? (idle.at(-1)?.connection_id ?? null) : null;
  } while (after !== null);
  if (errors.length > 0) throw errors[0];
  return looked;
}

interface IdleHistory {
  readonly connection_id: string;
  readonly resources: string[];
}

function readIdle({ sql }: Database, after: string | null, limit: number): Promise<readonly IdleHistory[]> {
  return sql<IdleHistory[]>`
    SELECT h.connection_id, array_agg(h.resource) AS resources
    FROM historical_pulls h JOIN connections c USING (connection_id) JOIN users u ON u.user_id = c.user_id AND u.deleted_at IS NULL
    WHERE h.completed_at IS NULL AND (${after}::uuid IS NULL OR h.connection_id > ${after}::uuid) AND NOT EXISTS (
      SELECT 1 FROM pull_windows w
      WHERE w.connection_id = h.connection_id AND w.lane = 'backfill' AND w.state IN ('planned', 'running', 'failed') AND h.resource = ANY(w.resources)
    )
    GROUP BY h.connection_id ORDER BY h.connection_id LIMIT ${limit}`;
}

/** Emits the completed event of one resource, where it has one. */
export function emitHistoryCompleted(
  emit: Emit,
  owner: Pick<PullConnection, 'teamId' | 'userId' | 'clientUserId' | 'provider'>,
  history: {
    readonly resource: string;
    readonly from: Date;
    readonly to: Date;
    /** Parts that were given up; null without any. */
    readonly gaps: readonly HistoryGap[] | null;
    readonly traceId: string | null;
  },
): void {
  const { resource, from, to, gaps, traceId } = history;
  if (!findResource(resource)?.events) return;
  const { teamId, userId, clientUserId, provider } = owner;
  const data = {
    user_id: userId,
    start_date: renderDateTime(from.getTime()),
    end_date: renderDateTime(to.getTime()),
    provider,
    gaps,
  };
  emit(jsonEvent({ eventType: historicalEventType(resource), teamId, userId, clientUserId, traceId, data }));
}
