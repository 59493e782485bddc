import type { CanonicalRecord, Quarantined, Sample } from '@pulsewire/contract';
import { JsonNode, readEach } from '../../kit/values/json-node.ts';
import type { MappedRecords } from '../../kit/types/connector.ts';
import type { Cycle } from '../cycles.ts';
import { strap, type WhoopContext } from '../whoop.ts';

/** Requested seconds between two values; WHOOP accepts only 6, 60 and 600. */
export const heartStepSeconds = 6;
export const stepsStepSeconds = 600;
const dateMsMax = 8.64e15;

function readTime(item: JsonNode): number {
  const ms = item.at('time').amount();
  if (!Number.isSafeInteger(ms) || ms > dateMsMax) throw item.at('time').fail('bad_time');
  return ms;
}

/** Beats a minute; a zero means that the strap was not worn. */
export function mapHeartrate(body: unknown, offset: number | null, context: WhoopContext): MappedRecords {
  const quarantined: Quarantined[] = [];
  const samples = readEach('heartrate', new JsonNode(body).at('values'), quarantined, (item): Sample | undefined => {
    const [ts, value] = [readTime(item), item.at('data').amount()];
    return value === 0 ? undefined : { ts, value, timezoneOffset: offset };
  });
  return { records: context.samples('heartrate', strap, samples), quarantined };
}

/** The latest time among samples; negative infinity when there are none. */
export function lastSampleMs(records: readonly CanonicalRecord[]): number {
  const samples = records.flatMap((record) => (record.kind === 'samples' ? record.samples : []));
  return samples.reduce((latest, { ts }) => Math.max(latest, ts), Number.NEGATIVE_INFINITY);
}

/**
 * The time up to which a strap has certainly synced its data, ms since the epoch: the end of the cycle, or its last heartbeat
 * while it lasts. Never later than `now`. Negative infinity: nothing is known.
 */
export function syncedUntil({ endMs }: Pick<Cycle, 'endMs'>, heart: readonly CanonicalRecord[], now: Date | undefined): number {
  return Math.min(Math.max(endMs ?? Number.NEGATIVE_INFINITY, lastSampleMs(heart)), now?.getTime() ?? Number.POSITIVE_INFINITY);
}

/**
 * Zeros that end by `syncedUntilMs`, or lie before counted steps, are measurements. Any other zero may stand for minutes that the
 * strap has not synced yet.
 */
function dropUnsyncedZeros(samples: readonly Sample[], syncedUntilMs: number, nowMs: number): Sample[] {
  const lastCounted = samples.findLast(({ value }) => value !== 0)?.ts ?? Number.NEGATIVE_INFINITY;
  const knownUntilMs = Math.min(Math.max(syncedUntilMs, lastCounted), nowMs);
  return samples.filter(({ ts, end = ts, value }) => value !== 0 || end <= knownUntilMs);
}

export interface StepsContext {
  readonly context: WhoopContext;
  /** Seconds east of UTC; null when it is not known. */
  readonly offset: number | null;
  /** As `syncedUntil` returns it. */
  readonly syncedUntilMs: number;
  readonly now: Date | undefined;
}

/** Steps of each ten minutes; a value ends at the start of the next one if that is earlier. */
export function mapSteps(body: unknown, { context, offset, syncedUntilMs, now }: StepsContext): MappedRecords {
  const quarantined: Quarantined[] = [];
  const read = readEach('steps', new JsonNode(body).at('values'), quarantined, (item): Sample => {
    return { ts: readTime(item), value: item.at('data').amount(), timezoneOffset: offset };
  });
  const sorted = read.toSorted((a, b) => a.ts - b.ts);
  const samples = sorted.map((sample, index) => {
    const latestMs = sample.ts + stepsStepSeconds * 1000;
    return { ...sample, end: Math.min(latestMs, sorted[index + 1]?.ts ?? latestMs) };
  });
  const known = dropUnsyncedZeros(samples, syncedUntilMs, now?.getTime() ?? Number.POSITIVE_INFINITY);
  return { records: context.samples('steps', strap, known), quarantined };
}
