import { utcDay, addDays } from '@pulsewire/kernel';
import { createHash } from 'node:crypto';
import { isInAllTypes, isPipelineEvent, renderDateTime } from '@pulsewire/contract';
import { type Database } from '@pulsewire/database';
import { isErased, readEvents, readShardCount, seekTime, shardsOfUser, type EventHeader, type TeamPoint } from '@pulsewire/eventlog';
import type { MessageContext } from './context.ts';
import { dayBefore, firstLogDay } from '../model/time/log-days.ts';
import { decodeLogCursor, encodeLogCursor, type LogCursor } from './log-cursor.ts';
import { advance } from './merge-pages.ts';
import { readPage } from './read-page.ts';
import { loadTeamBodies, type TeamBodies } from './team-bodies.ts';

export interface TeamEventsQuery {
  /** Exact types; null: all except operational ones, as for an endpoint without a filter. */
  readonly eventTypes: readonly string[] | null;
  readonly userId: string | null;
  readonly since: Date | null;
  readonly cursor: string | null;
  readonly limit: number;
}

/** A message as an endpoint would receive it. */
export interface TeamEvent {
  readonly message_id: string;
  readonly sequence: number;
  readonly created_at: string;
  /** The exact webhook body. */
  readonly body: string;
}

export interface TeamEventPage {
  readonly data: readonly TeamEvent[];
  readonly next_cursor: string | null;
  readonly position: string;
}

const bodiesAtOnce = 50;
/** Size limit of a page's bodies; the event that exceeds it is the last. */
const pageBytesMax = 4 * 1024 * 1024;

/**
 * Reads a team's events as webhooks would deliver them: with the same ids and bodies, in log order for each user. Events committed after a
 * page appear on a later one, including those of transactions that were open meanwhile. Erased events are omitted. A page may be short or
 * empty before the end; at the end `next_cursor` is null, and `position` continues from there at any later time. Throws AppError
 * `cursor_invalid`.
 */
export async function readTeamEvents(context: MessageContext, teamId: string, query: TeamEventsQuery): Promise<TeamEventPage> {
  const { database, clock } = context;
  const { eventTypes, userId, since, limit } = query;
  const filter = JSON.stringify([teamId, eventTypes, userId, since]);
  const scope = `events:${createHash('sha256').update(filter).digest('base64url').slice(0, 12)}`;
  const from =
    query.cursor === null
      ? await begin(database, query)
      : withNewShards(decodeLogCursor(scope, query.cursor), await shardsFor(database, userId));
  const bodies = await loadTeamBodies(context, database, teamId);
  const { pages, headers } = await readPage(
    database,
    {
      teamId,
      points: from.points,
      direction: 'forward',
      fromDay: from.day,
      sinceMs: since?.getTime(),
      userId: userId ?? undefined,
      // A deprecation may derive a requested type from one that is not.
      eventTypes: bodies.derives ? null : eventTypes,
    },
    limit,
    (header) => isWanted(header, bodies, eventTypes),
  );
  const { data, used } = await readBodies(database, bodies, headers, eventTypes);
  // Events written from now on are in today's partition or a later one; one day is kept for transactions in progress.
  const today = addDays(utcDay(clock.now()), -1);
  const next = advance(from.points, pages, used, 'forward');
  const position = encodeLogCursor(scope, { day: latest(from.day, earliest(next.day ?? today, today)), points: next.points });
  return { data, next_cursor: next.hasMore ? position : null, position };
}

const latest = (a: string, b: string): string => (a > b ? a : b);
const earliest = (a: string, b: string): string => (a < b ? a : b);

async function shardsFor(database: Database, userId: string | null): Promise<readonly number[]> {
  const shardCount = await readShardCount(database);
  return userId === null ? Array.from({ length: shardCount }, (_, shard) => shard) : shardsOfUser(userId, shardCount);
}

/** Shards added after the cursor was made are read from their first event. */
function withNewShards({ day, points }: LogCursor, shards: readonly number[]): LogCursor {
  const known = new Set(points.map(({ shard }) => shard));
  return { day, points: [...points, ...shards.filter((shard) => !known.has(shard)).map((shard) => ({ shard, offset: 0 }))] };
}

async function begin(database: Database, { userId, since }: TeamEventsQuery): Promise<LogCursor> {
  const shards = await shardsFor(database, userId);
  if (since === null) return { day: firstLogDay, points: shards.map((shard) => ({ shard, offset: 0 })) };
  const points = await seekTime(database, since.getTime());
  return { day: dayBefore(since), points: shards.map((shard): TeamPoint => ({ shard, offset: points[shard]?.offset ?? 0 })) };
}

function isWanted(header: EventHeader, { pushesHistoricalData, derives }: TeamBodies, eventTypes: readonly string[] | null): boolean {
  if (header.origin === 'historical' && !pushesHistoricalData) return false;
  if (eventTypes === null) return isInAllTypes(header.eventType);
  return (derives && !isPipelineEvent(header.eventType)) || eventTypes.includes(header.eventType);
}

async function readBodies(
  database: Database,
  bodies: TeamBodies,
  headers: readonly EventHeader[],
  eventTypes: readonly string[] | null,
): Promise<{ data: TeamEvent[]; used: EventHeader[] }> {
  const data: TeamEvent[] = [];
  const used: EventHeader[] = [];
  let bytes = 0;
  for (let start = 0; start < headers.length && bytes < pageBytesMax; start += bodiesAtOnce) {
    const chunk = headers.slice(start, start + bodiesAtOnce);
    const events = new Map((await readEvents(database, chunk)).map((event) => [`${event.shard}/${event.offset}`, event]));
    for (const header of chunk) {
      if (bytes >= pageBytesMax) break;
      used.push(header);
      const event = events.get(`${header.shard}/${header.offset}`);
      // Dropped by retention, or erased, between the two reads.
      if (event === undefined || isErased(event)) continue;
      for (const message of bodies.build(event)) {
        if (eventTypes !== null && !eventTypes.includes(message.eventType)) continue;
        bytes += message.body.length;
        const body = message.body.toString('utf8');
        data.push({ message_id: message.messageId, sequence: header.offset, created_at: renderDateTime(header.writtenAt), body });
      }
    }
  }
  return { data, used };
}
