import type { CanonicalRecord, Quarantined, Sample } from '@pulsewire/contract';
import { JsonNode, readWhole } from '../kit/json-node.ts';
import { roundTo } from '../kit/numbers.ts';
import { joinStages, sleepRecords, type StageSpan } from '../kit/records/sleep-records.ts';
import type { MappedRecords } from '../kit/types.ts';
import type { Cycle } from './cycles.ts';
import { isScored } from './map-cycle.ts';
import { parseDuring, readOffset } from './span.ts';
import { strap, type WhoopContext } from './whoop.ts';

const stageCodes: Readonly<Record<string, number>> = { deep: 1, light: 2, rem: 3, awake: 4, no_data: -1 };

interface Recovery {
  readonly score: number | null;
  readonly restingHr: number | null;
  readonly hrvMs: number | null;
  readonly spo2: number | null;
  readonly skinCelsius: number | null;
}

const nothing: Recovery = { score: null, restingHr: null, hrvMs: null, spo2: null, skinCelsius: null };

/** The recovery of a cycle. HRV comes in seconds, in later answers in milliseconds under another name. */
function readRecovery(node: JsonNode): Recovery {
  if (node.isMissing || !isScored(node, 'state')) return nothing;
  const amount = (key: string) => node.at(key).optional((value) => value.amount() || null);
  const hrvSeconds = amount('hrv_rmssd');
  const hrvMs = amount('hrv_rmssd_milli') ?? (hrvSeconds === null ? null : hrvSeconds * 1000);
  const [score, restingHr] = [amount('recovery_score'), amount('resting_heart_rate')];
  return {
    score: score === null ? null : Math.round(score),
    restingHr: restingHr === null ? null : Math.round(restingHr),
    hrvMs: hrvMs === null ? null : roundTo(hrvMs, 3),
    spo2: amount('spo2'),
    skinCelsius: amount('skin_temp_celsius'),
  };
}

function readStages(list: JsonNode): StageSpan[] {
  const spans = list.itemsOrNone().map((item): StageSpan => {
    const stage = item.at('stage').text();
    const { startMs, endMs } = item.at('during').time(parseDuring);
    if (endMs === null) throw item.at('during').fail('bad_time');
    return { code: Object.hasOwn(stageCodes, stage) ? (stageCodes[stage] ?? -1) : -1, startMs, endMs };
  });
  return joinStages(spans.toSorted((a, b) => a.startMs - b.startMs));
}

function readSums(score: JsonNode): { light: number; deep: number; rem: number; awake: number } | undefined {
  const sums = score.at('stage_summary');
  const seconds = (key: string) => Math.round(sums.at(key).amount() / 1000);
  return sums.isMissing
    ? undefined
    : {
        light: seconds('total_light_sleep_time_milli'),
        deep: seconds('total_slow_wave_sleep_time_milli'),
        rem: seconds('total_rem_sleep_time_milli'),
        awake: seconds('total_awake_time_milli'),
      };
}

/** One figure a night for each series: it stands where the night ended. */
function nightly(ms: number, offset: number | null, recovery: Recovery, breaths: number | null, context: WhoopContext): CanonicalRecord[] {
  const at = (value: number | null, more: Partial<Sample> = {}): Sample[] =>
    value === null ? [] : [{ ts: ms, value, timezoneOffset: offset, ...more }];
  return [
    ...context.samples('hrv', strap, at(recovery.hrvMs)),
    ...context.samples('blood_oxygen', strap, at(recovery.spo2)),
    ...context.samples('respiratory_rate', strap, at(breaths)),
    ...context.samples('body_temperature', strap, at(recovery.skinCelsius, { end: ms, extra: { sensor_location: 'wrist' } })),
  ];
}

/** A record of `sleep-events` with the recovery of its cycle: summary, cycle of stages, and the figures of the night. */
export function mapSleep(body: unknown, cycle: Cycle, sleepId: string, context: WhoopContext): MappedRecords {
  const quarantined: Quarantined[] = [];
  const records = readWhole('sleep', quarantined, (): CanonicalRecord[] => {
    const root = new JsonNode(body);
    const { startMs, endMs } = root.at('during').time(parseDuring);
    if (!isScored(root)) return [];
    if (endMs === null) throw root.at('during').fail('bad_time');
    const offset = readOffset(root.at('timezone_offset')) ?? cycle.offset;
    const score = root.at('score');
    const stages = readStages(root.at('stages'));
    const seconds = readSums(score);
    if (seconds === undefined && stages.length === 0) throw root.at('stages').fail('missing_field');
    const recovery = readRecovery(cycle.node.at('recovery'));
    const breaths = score.at('respiratory_rate').optional((node) => node.amount() || null);
    return [
      ...sleepRecords(context, {
        externalId: sleepId,
        sourceType: strap,
        day: cycle.day,
        startMs,
        endMs,
        offset,
        stages,
        ...(seconds === undefined ? {} : { seconds }),
        data: {
          recovery_readiness_score: recovery.score,
          hr_resting: recovery.restingHr,
          average_hrv: recovery.hrvMs,
          skin_temperature: recovery.skinCelsius,
          respiratory_rate: breaths,
        },
      }),
      ...nightly(endMs, offset, recovery, breaths, context),
    ];
  });
  return { records: records ?? [], quarantined };
}
