import { renderDateTime, type OffsetOrigin, type Summary } from '@pulsewire/contract';
import type { JsonNode } from '../values/json-node.ts';
import { roundTo } from '../values/numbers.ts';
import type { RecordMaker } from './record-maker.ts';

/** A period of one sleep stage; codes: 1 deep, 2 light, 3 REM, 4 awake, 5 by hand, -1 unknown. */
export interface StageSpan {
  readonly code: number;
  readonly startMs: number;
  readonly endMs: number;
}

/** A night or nap in provider-independent form. */
export interface Night {
  readonly externalId: string;
  readonly sourceType: string;
  /** Local day on which it ended. */
  readonly day: string;
  readonly startMs: number;
  readonly endMs: number;
  /** Seconds east of UTC; null when unknown. */
  readonly offset: number | null;
  /** Absent: as the connector declares. */
  readonly offsetFrom?: OffsetOrigin | undefined;
  /** Ordered by time; empty when the provider reports no stages, and then there is no cycle. */
  readonly stages: readonly StageSpan[];
  /** The provider's totals in seconds; absent: computed from the stages. */
  readonly seconds?: { readonly light: number; readonly deep: number; readonly rem: number; readonly awake: number };
  /** The user marked it as a nap. */
  readonly isNap?: boolean;
  readonly timeZone?: string | null;
  /** The part of the response that describes the night. Absent where none does. */
  readonly raw?: JsonNode | undefined;
  /** Additional fields: score, hr_lowest, average_hrv, … */
  readonly data?: Readonly<Record<string, unknown>>;
}

const longSleepSeconds = 3 * 3600;

/** Merges adjacent periods of the same stage. */
export function joinStages(spans: readonly StageSpan[]): StageSpan[] {
  const joined: StageSpan[] = [];
  for (const span of spans) {
    const last = joined.at(-1);
    if (last?.code === span.code && last.endMs === span.startMs) joined[joined.length - 1] = { ...last, endMs: span.endMs };
    else joined.push(span);
  }
  return joined;
}

/** Whole seconds: some providers state their stages to the millisecond. */
function secondsIn(stages: readonly StageSpan[], code: number): number {
  return Math.round(stages.reduce((sum, span) => (span.code === code ? sum + (span.endMs - span.startMs) : sum), 0) / 1000);
}

/** The totals of stages, in seconds. */
export function secondsByStage(stages: readonly StageSpan[]): NonNullable<Night['seconds']> {
  return { light: secondsIn(stages, 2), deep: secondsIn(stages, 1), rem: secondsIn(stages, 3), awake: secondsIn(stages, 4) };
}

function typeOf(duration: number, isNap: boolean): string {
  if (isNap) return 'acknowledged_nap';
  return duration >= longSleepSeconds ? 'long_sleep' : 'short_sleep';
}

/** The sleep summary, and the sleep cycle where stages are known. */
export function sleepRecords(maker: RecordMaker, night: Night): Summary[] {
  const { externalId, sourceType, day, startMs, endMs, stages, isNap = false } = night;
  const ids = { sourceType, externalId, calendarDate: day };
  const duration = Math.round((endMs - startMs) / 1000);
  const seconds = night.seconds ?? secondsByStage(stages);
  const total = seconds.light + seconds.deep + seconds.rem;
  const sleep = maker.summary({
    ...ids,
    resource: 'sleep',
    at: endMs,
    offsetFrom: night.offsetFrom,
    raw: night.raw,
    data: {
      bedtime_start: renderDateTime(startMs),
      bedtime_stop: renderDateTime(endMs),
      type: typeOf(duration, isNap),
      timezone_offset: night.offset,
      duration,
      total,
      ...seconds,
      // The contract's definition, so that providers are comparable: time asleep divided by time in bed.
      efficiency: duration === 0 ? null : roundTo((total / duration) * 100, 1),
      ...night.data,
    },
  });
  if (stages.length === 0) return [sleep];
  const offsetOf = (ms: number): number => Math.round((ms - startMs) / 1000);
  const cycle = maker.summary({
    ...ids,
    resource: 'sleep_cycle',
    at: startMs,
    data: {
      sleep_id: sleep.id,
      session_start: renderDateTime(startMs),
      session_end: renderDateTime(endMs),
      stage_start_offset_second: stages.map((stage) => offsetOf(stage.startMs)),
      stage_end_offset_second: stages.map((stage) => offsetOf(stage.endMs)),
      stage_type: stages.map((stage) => stage.code),
      time_zone: night.timeZone ?? null,
    },
  });
  return [sleep, cycle];
}
