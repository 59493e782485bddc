import { isPipelineEvent, type DeliveryBody, type MessageListBody } from '@pulsewire/contract';
import { plainArray, run, type Executor } from '@pulsewire/database';
import { readHeaders, type EventHeader } from '@pulsewire/eventlog';
import { utcDay } from '@pulsewire/kernel';
import { eq } from 'drizzle-orm';
import { attemptOutcomes } from '../model/attempt-outcome.ts';
import type { EndpointContext } from '../model/context.ts';
import { decodeCursor, encodeCursor } from '../model/cursor.ts';
import { findEndpointRow } from '../model/endpoint-row.ts';
import { webhookEndpoints } from '../model/tables.ts';
import { renderInstant } from '../model/time/instants.ts';
import { findHiddenUsers } from './hidden-users.ts';
import { toMessageFields } from './message-fields.ts';
import { readDeliveries, type MessageAddress } from './read-deliveries.ts';
import { readTestEvents, testShard } from './test-events.ts';

export type DeliveryStatus = 'failed' | 'waiting' | 'succeeded';

export interface DeliveryQuery {
  readonly status: DeliveryStatus | undefined;
  readonly webhookId: string | undefined;
  readonly eventType?: string | undefined;
  readonly userId?: string | undefined;
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
  readonly cursor?: string | undefined;
  readonly limit: number;
}

/** A delivery of one endpoint. */
interface Row {
  readonly event_id: string;
  readonly event_type: string | null;
  readonly shard: number;
  readonly offset: string;
  readonly day: string;
  /** Of the attempt; for a delivery that waits, the day of its event. */
  readonly at: string;
}

/** Deliveries examined by one request; further ones continue on the next page. */
const examinedMax = 500;
const endpointsMax = 100;

/**
 * Lists a team's messages by the state of their deliveries: those that wait, the newest message first; others, the newest attempt first. A
 * message counts once, at its newest matching attempt. Throws AppErrors `cursor_invalid`, `endpoint_not_found`.
 */
export async function listByDelivery({ database }: EndpointContext, teamId: string, query: DeliveryQuery): Promise<MessageListBody> {
  const { status, webhookId, eventType, userId, since, until, limit } = query;
  const scope = `deliveries:${[teamId, status, webhookId, eventType, userId, since?.getTime(), until?.getTime()].join()}`;
  const after = query.cursor === undefined ? null : decodeCursor(scope, query.cursor);
  const endpointIds = await endpointsOf(database, teamId, webhookId);
  const rows =
    status === 'waiting' ? await readWaiting(database, endpointIds, after) : await readAttempted(database, endpointIds, query, after);
  const addresses = rows.map(addressOf);
  const headers = await headersOf(database, teamId, rows);
  const deliveries = await readDeliveries(database, teamId, addresses);
  const hidden = await findHiddenUsers(
    database,
    [...headers.values()].map((header) => header.userId),
  );
  const shown = new Map<string, MessageListBody['data'][number]>();
  let last: Row | undefined;
  for (const row of rows) {
    if (shown.size === limit && !shown.has(row.event_id)) break;
    last = row;
    const header = headers.get(row.event_id);
    const list = deliveries.get(row.event_id) ?? [];
    if (header && isWanted(header) && isNewest(row, list)) shown.set(row.event_id, { ...toMessageFields(header), deliveries: [...list] });
  }
  const isEnd = last === undefined || (rows.length < examinedMax && last === rows.at(-1));
  return { data: [...shown.values()], next_cursor: isEnd || !last ? null : encodeCursor(scope, last.at, last.event_id) };

  function isWanted(header: EventHeader): boolean {
    if (isPipelineEvent(header.eventType) || header.isErased || hidden.has(header.userId ?? '')) return false;
    if ((eventType ?? header.eventType) !== header.eventType || (userId ?? header.userId) !== header.userId) return false;
    return header.writtenAt >= (since?.getTime() ?? 0) && header.writtenAt <= (until?.getTime() ?? Infinity);
  }

  /** Whether the delivery is in the wanted state now, and this row is the newest reason to list its message. */
  function isNewest(row: Row, list: readonly DeliveryBody[]): boolean {
    const matching = list.filter((one) => (status ?? one.status) === one.status && endpointIds.includes(one.webhook_id));
    if (status === 'waiting') return matching.length > 0;
    const newest = matching.reduce((latest, one) => Math.max(latest, Date.parse(one.last_attempt_at ?? '') || 0), 0);
    return newest > 0 && newest === Date.parse(renderInstant(row.at) ?? '');
  }
}

async function endpointsOf(database: Executor, teamId: string, webhookId: string | undefined): Promise<readonly string[]> {
  if (webhookId !== undefined) return [(await findEndpointRow(database, teamId, webhookId)).endpointId];
  const { endpointId, createdAt } = webhookEndpoints;
  const rows = await run(
    database.orm
      .select({ endpointId })
      .from(webhookEndpoints)
      .where(eq(webhookEndpoints.teamId, teamId))
      .orderBy(createdAt, endpointId)
      .limit(endpointsMax),
  );
  return rows.map((row) => row.endpointId);
}

type Place = { readonly at: string; readonly id: string } | null;

async function readWaiting({ sql }: Executor, endpointIds: readonly string[], after: Place): Promise<readonly Row[]> {
  const byCursor = after === null ? sql`` : sql`AND p.event_id < ${after.id}::uuid`;
  return sql<Row[]>`
    SELECT DISTINCT ON (p.event_id) p.*, p.day::timestamptz AS at FROM unnest(${plainArray(endpointIds)}::uuid[]) AS e(endpoint_id)
    CROSS JOIN LATERAL (
      SELECT p.event_id, p.event_type, p.shard, p."offset", p.log_day AS day FROM webhook_pending p
      WHERE p.endpoint_id = e.endpoint_id ${byCursor} ORDER BY p.event_id DESC LIMIT ${examinedMax}
    ) p
    ORDER BY p.event_id DESC LIMIT ${examinedMax}`;
}

async function readAttempted(
  { sql }: Executor,
  endpointIds: readonly string[],
  { status, since }: DeliveryQuery,
  after: Place,
): Promise<readonly Row[]> {
  // `outcome > 1` stays a literal: it selects the partial index of failures.
  const byStatus = {
    failed: sql`AND a.outcome > 1 AND a.outcome < ${attemptOutcomes.superseded}`,
    succeeded: sql`AND a.outcome = ${attemptOutcomes.delivered}`,
    any: sql``,
  }[status === 'failed' || status === 'succeeded' ? status : 'any'];
  const byCursor = after === null ? sql`` : sql`AND (a.attempted_at, a.event_id) < (${after.at}::timestamptz, ${after.id}::uuid)`;
  // An attempt follows its event.
  const bySince = since === undefined ? sql`` : sql`AND a.day >= ${utcDay(since)}`;
  return sql<Row[]>`
    SELECT a.* FROM unnest(${plainArray(endpointIds)}::uuid[]) AS e(endpoint_id) CROSS JOIN LATERAL (
      SELECT a.event_id, a.event_type, a.shard, a."offset", a.log_day AS day, a.attempted_at AS at FROM webhook_attempts a
      WHERE a.endpoint_id = e.endpoint_id ${byStatus} ${bySince} ${byCursor} ORDER BY a.attempted_at DESC, a.event_id DESC LIMIT ${examinedMax}
    ) a
    ORDER BY a.at DESC, a.event_id DESC LIMIT ${examinedMax}`;
}

function addressOf({ event_id: eventId, shard, offset, day }: Row): MessageAddress {
  return { eventId, shard, offset: Number(offset), day };
}

/** Headers by the id of the message: one that a deprecation derived from an event has an id and a type of its own. */
async function headersOf(database: Executor, teamId: string, rows: readonly Row[]): Promise<ReadonlyMap<string, EventHeader>> {
  const stored = await readHeaders(database, rows.map(addressOf));
  const byAddress = new Map(stored.map((header) => [`${header.shard} ${header.offset}`, header]));
  const tests = await readTestEvents(
    database,
    rows.filter(({ shard }) => shard === testShard).map((row) => row.event_id),
  );
  const found = new Map<string, EventHeader>();
  for (const row of rows) {
    const header = byAddress.get(`${row.shard} ${Number(row.offset)}`);
    const test = tests.get(row.event_id);
    if (header) found.set(row.event_id, { ...header, eventId: row.event_id, eventType: row.event_type ?? header.eventType });
    else if (test?.teamId === teamId) found.set(row.event_id, { ...test, isErased: false });
  }
  return found;
}
