import { isPipelineEvent, type MessageListBody } from '@pulsewire/contract';
import { readShardCount, seekTime, shardsOfUser } from '@pulsewire/eventlog';
import type { EndpointContext } from '../model/context.ts';
import { dayAfter, dayBefore, firstLogDay, lastLogDay } from '../model/time/log-days.ts';
import { listByDelivery, type DeliveryStatus } from './list-by-delivery.ts';
import { decodeLogCursor, encodeLogCursor, type LogCursor } from './log-cursor.ts';
import { advance } from './merge-pages.ts';
import { readDeliveries } from './read-deliveries.ts';
import { toMessageFields } from './message-fields.ts';
import { readPage } from './read-page.ts';

/** seekTime finds a point before the instant; with this margin the point is after it. */
const seekMarginMs = 120_000;

export interface MessageQuery {
  /** Only messages with such a delivery. */
  readonly status?: DeliveryStatus | undefined;
  /** Only messages with a delivery at this endpoint. */
  readonly webhookId?: string | undefined;
  readonly eventType?: string | undefined;
  readonly userId?: string | undefined;
  /** Both inclusive. */
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
  readonly cursor?: string | undefined;
  readonly limit: number;
}

/**
 * Lists a team's events, newest first, each with its delivery status at every endpoint; without bodies and without erased events. Pages
 * before the last may be short or empty. Throws AppErrors `cursor_invalid`, `endpoint_not_found`.
 */
export async function listMessages(context: EndpointContext, teamId: string, query: MessageQuery): Promise<MessageListBody> {
  const { status, webhookId } = query;
  if (status !== undefined || webhookId !== undefined) return listByDelivery(context, teamId, { ...query, status, webhookId });
  return listByTime(context, teamId, query);
}

async function listByTime({ database }: EndpointContext, teamId: string, query: MessageQuery): Promise<MessageListBody> {
  const { eventType, userId, since, until, limit } = query;
  const scope = `messages:${[teamId, eventType, userId, since?.getTime(), until?.getTime()].join()}`;
  const from = query.cursor === undefined ? await begin() : decodeLogCursor(scope, query.cursor);
  const { pages, headers } = await readPage(
    database,
    {
      teamId,
      points: from.points,
      direction: 'backward',
      // Around midnight an event may still be written to the previous day's partition.
      fromDay: since === undefined ? firstLogDay : dayBefore(since),
      toDay: from.day,
      sinceMs: since?.getTime(),
      untilMs: until?.getTime(),
      userId,
      eventTypes: eventType === undefined ? null : [eventType],
    },
    limit,
    ({ eventType: type }) => !isPipelineEvent(type),
  );
  const next = advance(from.points, pages, headers, 'backward');
  // A shard without a page is exhausted; keeping it in the cursor would read it again for every page.
  const left = new Set(pages.map(({ shard }) => shard));
  const points = next.points.filter(({ shard }) => left.has(shard));
  const deliveries = await readDeliveries(database, teamId, headers);
  return {
    data: headers.map((header) => ({ ...toMessageFields(header), deliveries: [...(deliveries.get(header.eventId) ?? [])] })),
    next_cursor: next.hasMore ? encodeLogCursor(scope, { day: next.day ?? from.day, points }) : null,
  };

  async function begin(): Promise<LogCursor> {
    const shardCount = await readShardCount(database);
    const shards = userId === undefined ? Array.from({ length: shardCount }, (_, shard) => shard) : shardsOfUser(userId, shardCount);
    if (until === undefined) return { day: lastLogDay, points: shards.map((shard) => ({ shard, offset: Number.MAX_SAFE_INTEGER })) };
    const places = await seekTime(database, Math.min(until.getTime(), Date.parse(lastLogDay)) + seekMarginMs);
    return { day: dayAfter(until), points: shards.map((shard) => ({ shard, offset: places[shard]?.offset ?? 0 })) };
  }
}
