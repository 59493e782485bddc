import { setImmediate } from 'node:timers/promises';
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
/** Reading ends, from the newest event back, with this many that concern the day, or with this much of bodies. */
const [concerningMax, bytesMax] = [500, 16 * 1024 * 1024];
/** Decoding pauses after this long, so that other requests have their turn. */
const sliceMs = 10;

function localDay(ts: number, offsetSeconds: number | null | undefined): string {
  return utcDay(ts + (offsetSeconds ?? 0) * 1000);
}

function dayOf(value: unknown): string | null {
  return typeof value === 'string' ? value.slice(0, 10) : null;
}

/** What an event says about the day. */
interface Facts {
  readonly header: EventHeader;
  readonly samples: number | null;
  /** By its own content; others concern the day through the ids of its records. */
  readonly isOfDay: boolean;
  /** Of the records in it. */
  readonly ids: readonly string[];
  /** Of the record that it is about. */
  readonly recordId: string | null;
  /** Whether that record is one of the day. */
  readonly isRecordOfDay: boolean;
}

/** Undefined: erased, or about another resource. */
function factsOf(event: LogEvent, { day, resource }: TraceQuery): Omit<Facts, 'header'> | undefined {
  if (isErased(event)) return undefined;
  const facts = { samples: null, isOfDay: false, ids: [], recordId: null, isRecordOfDay: false };
  if (event.body.kind === 'samples') {
    const { samples } = unpackSamples(event.body.packed);
    const count = samples.filter(({ ts, timezoneOffset }) => localDay(ts, timezoneOffset) === day).length;
    return { ...facts, samples: count, isOfDay: count > 0 };
  }
  const data = JSON.parse(event.body.json) as Readonly<Record<string, unknown>>;
  if (typeof data['resource'] === 'string' && data['resource'] !== resource) return undefined;
  const ids = [data['id'], data['workout_id'], ...(Array.isArray(data['ids']) ? data['ids'] : [])].filter((id) => typeof id === 'string');
  const recordId = typeof data['id'] === 'string' ? data['id'] : null;
  const own = { ...facts, ids, recordId };
  if (dayOf(data['calendar_date']) === day) return { ...own, isOfDay: true, isRecordOfDay: true };
  if (Array.isArray(data['timestamps'])) return { ...own, isOfDay: data['timestamps'].some((at) => dayOf(at) === day) };
  const [from, to] = [dayOf(data['start_date']), dayOf(data['end_date'])];
  return { ...own, isOfDay: from !== null && to !== null && from <= day && to >= day };
}

/** Facts of the newest events of these, oldest first, and whether older ones were left out. */
async function readFacts(executor: Executor, headers: readonly EventHeader[], query: TraceQuery) {
  const facts: Facts[] = [];
  let [bytes, concerning, sinceMs] = [0, 0, performance.now()];
  for (let end = headers.length; end > 0; end -= bodiesAtOnce) {
    if (concerning >= concerningMax || bytes >= bytesMax) return { facts: facts.toReversed(), isCut: true };
    const chunk = headers.slice(Math.max(0, end - bodiesAtOnce), end);
    const bodies = new Map((await readEvents(executor, chunk)).map((event) => [event.eventId, event]));
    for (const header of chunk.toReversed()) {
      const event = bodies.get(header.eventId);
      if (!event) continue;
      if (!isErased(event)) bytes += event.body.kind === 'samples' ? event.body.packed.length : event.body.json.length;
      const found = factsOf(event, query);
      if (found) facts.push({ ...found, header });
      if (found?.isOfDay === true) concerning += 1;
      if (performance.now() - sinceMs > sliceMs) {
        await setImmediate();
        sinceMs = performance.now();
      }
    }
  }
  return { facts: facts.toReversed(), isCut: false };
}

/** Finds the events of a user that concern a day, back from the newest: as far as the log reaches, or as the limits allow. */
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
  const { facts, isCut } = await readFacts(executor, headers, query);
  const events = facts.flatMap(({ header, samples, isOfDay, ids, recordId, isRecordOfDay }): TracedEvent[] => {
    const isKnown = ids.some((id) => known.has(id));
    if (!isOfDay && !isKnown) return [];
    // For a record that was removed later, only its own event contains the day.
    if (recordId !== null && (isKnown || isRecordOfDay)) known.add(recordId);
    return [{ header, samples }];
  });
  return { events, isCut: isCut || pages.some(({ hasMore }) => hasMore) };
}
