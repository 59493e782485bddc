import type { CanonicalRecord, Quarantined, Sample } from '@pulsewire/contract';
import { mapWhole } from '../../kit/records/map-records.ts';
import { msToDay } from '../../kit/time/days.ts';
import { JsonNode, readEach, readEachOf } from '../../kit/values/json-node.ts';
import { sleepRecords, type StageSpan } from '../../kit/records/sleep-records.ts';
import { resolveStages } from '../../kit/records/sleep/stages.ts';
import { leaveOut } from '../../kit/records/left-out.ts';
import type { MappedRecords, PullWindow } from '../../kit/types/connector.ts';
import { activitiesOf, isComplete, type Cycle } from '../cycles.ts';
import { noRecovery, readRecovery, type Recovery } from '../recovery.ts';
import { parseDuring, readOffset } from '../span.ts';
import { strap, type WhoopContext } from '../whoop.ts';

const [deep, awake] = [1, 4];
/** By their names in upper case. Public clients read two sets of names, in either case. */
const stageCodes: Readonly<Record<string, number>> = {
  SWS: deep,
  DEEP: deep,
  SLOW_WAVE: deep,
  LIGHT: 2,
  REM: 3,
  WAKE: awake,
  AWAKE: awake,
  LATENCY: awake,
  NO_DATA: -1,
};
/** They overlap a stage and are not stages themselves. */
const disturbances = 'DISTURBANCES';

/** A night or a nap of a cycle, before its stages are read. */
export interface Sleep {
  readonly item: JsonNode;
  readonly id: string;
  /** Local day on which it ended. */
  readonly day: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly offset: number | null;
  readonly isNap: boolean;
  /** Nothing is known of it but when it was. */
  readonly isBare?: boolean;
}

/** What a sleep is in its cycle. */
export interface SleepPlace {
  readonly cycle: Cycle;
  readonly isMain: boolean;
  readonly hasRecovery: boolean;
}

/** The scored sleeps of a cycle; pending ones are read by a later poll. */
export function readSleeps(cycle: Cycle, window: PullWindow, quarantined: Quarantined[]): Sleep[] {
  const list = cycle.record.at('sleeps');
  if (list.isMissing) return [];
  return readEach('sleep', list, quarantined, (item): Sleep | undefined => {
    const id = item.at('activity_id').id();
    const { startMs, endMs } = item.at('during').time(parseDuring);
    if (!isComplete(item.at('state'))) {
      leaveOut(window, 'unfinished');
      return undefined;
    }
    if (endMs === null) throw item.at('during').fail('bad_time');
    const offset = readOffset(item.at('timezone_offset')) ?? cycle.offset;
    const day = offset === null ? cycle.day : msToDay(endMs + offset * 1000);
    return { item, id, day, startMs, endMs, offset, isNap: item.at('is_nap').value === true };
  });
}

/**
 * Naps that only the list of activities names, with nothing but when they began and ended. What else is known of them are their stages,
 * which are read like those of a night.
 */
export function readNaps(cycle: Cycle, sleeps: readonly Sleep[], window: PullWindow, quarantined: Quarantined[]): Sleep[] {
  const isKnown = (id: string) => sleeps.some((sleep) => sleep.id === id);
  const naps = activitiesOf(cycle).filter((item) => /^nap$/i.test(String(item.at('type').value)) && !isKnown(String(item.at('id').value)));
  return readEachOf('sleep', cycle.record.at('v2_activities'), naps, quarantined, (item): Sleep | undefined => {
    const id = item.at('id').id();
    const { startMs, endMs } = item.at('during').time(parseDuring);
    if (endMs === null || !isComplete(item.at('score_state'))) {
      leaveOut(window, 'unfinished');
      return undefined;
    }
    const offset = readOffset(item.at('timezone_offset')) ?? readOffset(item.at('timezone_offset_from_model')) ?? cycle.offset;
    const day = offset === null ? cycle.day : msToDay(endMs + offset * 1000);
    return { item, id, day, startMs, endMs, offset, isNap: true, isBare: true };
  });
}

/** The night of a cycle: the longest sleep that is not a nap. Its recovery belongs to it, unless the recovery names another. */
export function mainSleep(sleeps: readonly Sleep[]): Sleep | null {
  const nights = sleeps.filter(({ isNap }) => !isNap);
  return nights.toSorted((a, b) => b.endMs - b.startMs - (a.endMs - a.startMs))[0] ?? null;
}

/** The stages of a bare list of events. */
function readStages(body: unknown, quarantined: Quarantined[]): StageSpan[] {
  if (body === null || body === undefined) return [];
  const spans = readEach('sleep_cycle', new JsonNode(body), quarantined, (item): StageSpan | undefined => {
    const type = item.at('type').text().toUpperCase();
    if (type === disturbances) return undefined;
    const { startMs, endMs } = item.at('during').time(parseDuring);
    const code = Object.hasOwn(stageCodes, type) ? stageCodes[type] : undefined;
    if (code === undefined) throw item.at('type').fail('unknown_shape');
    if (endMs === null) throw item.at('during').fail('bad_time');
    return { code, startMs, endMs };
  });
  return resolveStages(spans.map((span) => ({ ...span, detail: span.code === -1 ? 'none' : 'stage' })));
}

/** One value per night for each series, at the end of the night. */
function nightly({ endMs, offset }: Sleep, recovery: Recovery, breaths: number | null, context: WhoopContext): CanonicalRecord[] {
  const at = (value: number | null, more: Partial<Sample> = {}): Sample[] =>
    value === null ? [] : [{ ts: endMs, value, timezoneOffset: offset, ...more }];
  return [
    ...context.samples('hrv', strap, at(recovery.hrvMs)),
    ...context.samples('blood_oxygen', strap, at(recovery.spo2)),
    ...context.samples('respiratory_rate', strap, at(breaths)),
    ...context.samples('body_temperature', strap, at(recovery.skinCelsius, { end: endMs, extra: { sensor_location: 'wrist' } })),
  ];
}

/**
 * A night or a nap with its stages (`events`; undefined where WHOOP has none), and the recovery of its cycle if it belongs to
 * this sleep: summary, sleep cycle, and one value per night of each series. A nap without stages or sums has nothing that could be stored.
 */
export function mapSleep(
  events: unknown,
  sleep: Sleep,
  { cycle, isMain, hasRecovery }: SleepPlace,
  window: PullWindow,
  context: WhoopContext,
): MappedRecords {
  return mapWhole('sleep', (quarantined) => {
    const { item, id, day, startMs, endMs, offset, isNap, isBare = false } = sleep;
    const stages = readStages(events, quarantined);
    if (isBare && stages.length === 0) {
      leaveOut(window, 'no_value');
      return [];
    }
    const seconds = (key: string) => Math.round(item.at(key).amount() / 1000);
    const positive = (key: string) => item.at(key).optional((node) => node.amount() || null);
    const [score, latency, breaths] = [positive('score'), positive('latency'), positive('respiratory_rate')];
    const recovery = hasRecovery ? readRecovery(cycle.record.at('recovery')) : noRecovery;
    return [
      ...sleepRecords(context, {
        raw: item,
        externalId: id,
        sourceType: strap,
        day,
        startMs,
        endMs,
        offset,
        isNap,
        stages,
        ...(!isBare && {
          seconds: {
            light: seconds('light_sleep_duration'),
            deep: seconds('slow_wave_sleep_duration'),
            rem: seconds('rem_sleep_duration'),
            awake: seconds('wake_duration'),
          },
        }),
        data: {
          score: score === null ? null : Math.round(score),
          latency: latency === null ? null : Math.round(latency / 1000),
          recovery_readiness_score: recovery.score,
          hr_resting: recovery.restingHr,
          average_hrv: recovery.hrvMs,
          skin_temperature: recovery.skinCelsius,
          respiratory_rate: breaths,
        },
      }),
      ...nightly(sleep, recovery, isMain ? breaths : null, context),
    ];
  });
}
