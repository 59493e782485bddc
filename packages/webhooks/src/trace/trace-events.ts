import { utcDay } from '@pulsewire/kernel';
import { dailyEventType, historicalEventType, unpackSamples } from '@pulsewire/contract';
import type { Executor } from '@pulsewire/database';
import { isErased, readEvents, readShardCount, readTeam, shardsOfUser, type EventHeader, type LogEvent } from '@pulsewire/eventlog';
import { firstLogDay } from '../model/time/log-days.ts';

/** Which of a user's events to find. */
export interface TraceQuery {
  readonly teamId: string;
  readonly userId: string;
  readonly resource: string;
  /** Local day, `YYYY-MM-DD`. */
  readonly day: string;
  /** Stored records of the day; their events are included whatever day they contain. */
  readonly recordIds: readonly string[];
}

/** An event that concerns the day. */
export interface TracedEvent {
  readonly header: EventHeader;
  /** Samples of the day in it; null when it has none of a series. */
  readonly samples: number | null;
}

export interface Trace {
  /** Oldest first. */
  readonly events: readonly TracedEvent[];
  /** Whether the log contains more events of these types than are read. */
  readonly isCut: boolean;
}

const headersMax = 5000;
const bodiesAtOnce = 100;

function localDay(ts: number, offsetSeconds: number | null | undefined): string {
  return utcDay(ts + (offsetSeconds ?? 0) * 1000);
}

function dayOf(value: unknown): string | null {
  return typeof value === 'string' ? value.slice(0, 10) : null;
}

/**
 * Samples of the day in an event, or null; undefined when the event does not concern the day. Adds the ids of records of the day to
 * `known`.
 */
function concern(event: LogEvent, { day, resource }: TraceQuery, known: Set<string>): number | null | undefined {
  if (isErased(event)) return undefined;
  if (event.body.kind === 'samples') {
    const { samples } = unpackSamples(event.body.packed);
    const count = samples.filter(({ ts, timezoneOffset }) => localDay(ts, timezoneOffset) === day).length;
    return count > 0 ? count : undefined;
  }
  const data = JSON.parse(event.body.json) as Readonly<Record<string, unknown>>;
  if (typeof data['resource'] === 'string' && data['resource'] !== resource) return undefined;
  const ids = [data['id'], data['workout_id'], ...(Array.isArray(data['ids']) ? data['ids'] : [])].filter((id) => typeof id === 'string');
  if (ids.some((id) => known.has(id)) || dayOf(data['calendar_date']) === day) {
    // For a record that was removed later, only its own event contains the day.
    if (typeof data['id'] === 'string') known.add(data['id']);
    return null;
  }
  if (Array.isArray(data['timestamps'])) return data['timestamps'].some((at) => dayOf(at) === day) ? null : undefined;
  const [from, to] = [dayOf(data['start_date']), dayOf(data['end_date'])];
  return from !== null && to !== null && from <= day && to >= day ? null : undefined;
}

/** Finds the events of a user that concern a day, as far back as the log reaches. */
export async function traceEvents(executor: Executor, query: TraceQuery): Promise<Trace> {
  const { teamId, userId, resource } = query;
  const eventTypes = [
    dailyEventType(resource, 'created'),
    dailyEventType(resource, 'updated'),
    historicalEventType(resource),
    'data.samples.removed',
    'data.summaries.removed',
  ];
  const known = new Set(query.recordIds);
  const shards = shardsOfUser(userId, await readShardCount(executor));
  const pages = await readTeam(executor, {
    teamId,
    points: shards.map((shard) => ({ shard, offset: Number.MAX_SAFE_INTEGER })),
    direction: 'backward',
    fromDay: firstLogDay,
    userId,
    eventTypes,
    limitPerShard: headersMax,
  });
  const headers = pages.flatMap(({ matches }) => matches).toSorted((a, b) => a.writtenAt - b.writtenAt || a.offset - b.offset);
  const events: TracedEvent[] = [];
  for (let start = 0; start < headers.length; start += bodiesAtOnce) {
    const chunk = headers.slice(start, start + bodiesAtOnce);
    const bodies = new Map((await readEvents(executor, chunk)).map((event) => [event.eventId, event]));
    for (const header of chunk) {
      const body = bodies.get(header.eventId);
      const samples = body && concern(body, query, known);
      if (samples !== undefined) events.push({ header, samples });
    }
  }
  return { events, isCut: pages.some(({ hasMore }) => hasMore) };
}
