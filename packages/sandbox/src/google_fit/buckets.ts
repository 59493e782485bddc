import type { UserCall } from '../kit/definition/definition.ts';
import { addDays } from '../model/calendar.ts';
import { createZone, type Zone } from '../model/zone.ts';
import { findType } from './data-types.ts';
import { badArgument } from './errors.ts';
import { readLedger } from './session-ledger.ts';
import { sessionBody } from './sessions.ts';
import { mergedStream, pointsBetween } from './streams.ts';

export interface Bucket {
  readonly startMs: number;
  readonly endMs: number;
  /** What else is stated about it. */
  readonly facts: Readonly<Record<string, unknown>>;
}

export type Fields = Readonly<Record<string, unknown>>;

const bucketsMax = 10_000;

export const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);

function zoneOf(name: unknown): Zone {
  try {
    return createZone(typeof name === 'string' ? name : 'UTC');
  } catch {
    throw badArgument(`Invalid time zone: ${String(name)}`);
  }
}

/** Stretches between these instants. */
function between(edges: readonly number[]): readonly Bucket[] {
  return edges.slice(1).map((endMs, index) => ({ startMs: edges[index] ?? endMs, endMs, facts: { type: 'time' } }));
}

/** From the first instant to the end of its local day, then whole days, and the rest of the last one. */
function byPeriod(period: Fields, fromMs: number, toMs: number): readonly Bucket[] {
  const zone = zoneOf(period['timeZoneId']);
  const days = { day: 1, week: 7, month: 30 }[String(period['type'])];
  const count = Number(period['value'] ?? 1);
  if (days === undefined || !(count >= 1)) throw badArgument('Invalid period');
  const edges = [fromMs];
  for (let date = zone.toLocal(fromMs).date; edges.length < bucketsMax;) {
    date = addDays(date, days * count);
    const edge = zone.toInstant(date, 0);
    if (edge >= toMs) break;
    edges.push(edge);
  }
  return between([...edges, toMs]);
}

function byDuration(given: unknown, fromMs: number, toMs: number): readonly Bucket[] {
  const stepMs = Number(given);
  if (!(stepMs > 0) || (toMs - fromMs) / stepMs > bucketsMax) throw badArgument('Invalid durationMillis');
  const edges = [fromMs];
  for (let edge = fromMs + stepMs; edge < toMs; edge += stepMs) edges.push(edge);
  return between([...edges, toMs]);
}

function bySession(call: UserCall, given: Fields, fromMs: number, toMs: number): readonly Bucket[] {
  const leastMs = Number(given['minDurationMillis'] ?? 0);
  return readLedger(call)
    .filter(({ session: { startMs, endMs }, isDeleted }) => !isDeleted && startMs < toMs && endMs > fromMs && endMs - startMs >= leastMs)
    .map((entry) => {
      const { startMs, endMs } = entry.session;
      return { startMs, endMs, facts: { type: 'session', session: sessionBody(entry) } };
    });
}

function bySegment(call: UserCall, fromMs: number, toMs: number): readonly Bucket[] {
  const type = findType('com.google.activity.segment');
  const segments = type ? pointsBetween(call.account, mergedStream(type), fromMs, toMs) : [];
  return segments.map(({ startMs, endMs, value }) => ({
    startMs: Math.max(startMs, fromMs),
    endMs: Math.min(endMs, toMs),
    facts: { type: 'activitySegment', activity: value[0]?.intVal ?? 4 },
  }));
}

/** How a request divides its range. Without a way: one bucket. */
export function bucketsOf(call: UserCall, body: Fields, fromMs: number, toMs: number): readonly Bucket[] {
  const { bucketByTime, bucketBySession, bucketByActivitySegment } = body;
  if (isFields(bucketByTime)) {
    const { period, durationMillis } = bucketByTime;
    return isFields(period) ? byPeriod(period, fromMs, toMs) : byDuration(durationMillis, fromMs, toMs);
  }
  if (isFields(bucketBySession)) return bySession(call, bucketBySession, fromMs, toMs);
  if (isFields(bucketByActivitySegment)) return bySegment(call, fromMs, toMs);
  if ('bucketByActivityType' in body) throw badArgument('bucketByActivityType is not simulated');
  return between([fromMs, toMs]);
}
