import type { CanonicalRecord, Quarantined, Sample } from '@pulsewire/contract';
import { isWithin, leaveOut } from '../../kit/records/left-out.ts';
import { JsonNode, readEach } from '../../kit/values/json-node.ts';
import { sleepRecords } from '../../kit/records/sleep-records.ts';
import type { MappedRecords, PullWindow } from '../../kit/types/connector.ts';
import type { Recoveries, Recovery } from '../recoveries.ts';
import { dayAt, isScored, readRounded, readSeconds, readSpan, strap, type WhoopContext } from '../whoop.ts';

interface Read {
  readonly records: readonly CanonicalRecord[];
  /** One value per night for each series, at the end of the night. */
  readonly samples: Readonly<Record<string, readonly Sample[]>>;
}

/** Series of the night in output order. */
const series = ['respiratory_rate', 'hrv', 'blood_oxygen', 'body_temperature'] as const;

function samplesOf(ms: number, offset: number | null, breaths: number | null, recovery: Recovery | undefined): Read['samples'] {
  const at = (value: number | null | undefined, more: Partial<Sample> = {}): Sample[] =>
    value === null || value === undefined ? [] : [{ ts: ms, value, timezoneOffset: offset, ...more }];
  return {
    respiratory_rate: at(breaths),
    hrv: at(recovery?.hrvMs),
    blood_oxygen: at(recovery?.spo2),
    body_temperature: at(recovery?.skinCelsius, { end: ms, extra: { sensor_location: 'wrist' } }),
  };
}

function readSleep(item: JsonNode, recoveries: Recoveries, window: PullWindow | null, context: WhoopContext): Read | undefined {
  const externalId = item.at('id').text();
  const { startMs, endMs, offset } = readSpan(item);
  item.at('user_id').id();
  // A night without a score has no stage durations, which a sleep summary requires.
  if (!isScored(item)) {
    leaveOut(window, 'unfinished');
    return undefined;
  }
  if (endMs === null) throw item.at('end').fail('bad_time');
  const day = dayAt(endMs, offset, context);
  if (!isWithin(day, window)) return undefined;
  const score = item.at('score');
  const stages = score.at('stage_summary');
  const recovery = recoveries.get(externalId);
  const breaths = score.at('respiratory_rate').optional((node) => node.amount());
  const performance = readRounded(score.at('sleep_performance_percentage'));
  const records = sleepRecords(context, {
    raw: item,
    externalId,
    sourceType: strap,
    day,
    startMs,
    endMs,
    offset,
    // WHOOP reports only sums, not when a stage was.
    stages: [],
    seconds: {
      light: readSeconds(stages.at('total_light_sleep_time_milli')),
      deep: readSeconds(stages.at('total_slow_wave_sleep_time_milli')),
      rem: readSeconds(stages.at('total_rem_sleep_time_milli')),
      awake: readSeconds(stages.at('total_awake_time_milli')),
    },
    isNap: item.at('nap').value === true,
    data: {
      score: performance === 0 ? null : performance,
      recovery_readiness_score: recovery?.score ?? null,
      hr_resting: recovery?.restingHr ?? null,
      average_hrv: recovery?.hrvMs ?? null,
      skin_temperature: recovery?.skinCelsius ?? null,
      respiratory_rate: breaths,
    },
  });
  return { records, samples: samplesOf(endMs, offset, breaths, recovery) };
}

/** The removals for a deleted sleep. Its samples stay, because their time is not known. */
export function removeSleep(externalId: string, context: WhoopContext): CanonicalRecord[] {
  return [context.removal({ resource: 'sleep', sourceType: strap, externalId })];
}

/** A page of `/v2/activity/sleep` with the recoveries of its nights: a summary for each, and one sample a night of each series. */
export function mapSleep(body: unknown, recoveries: Recoveries, window: PullWindow | null, context: WhoopContext): MappedRecords {
  const quarantined: Quarantined[] = [];
  const sleeps = readEach('sleep', new JsonNode(body).at('records'), quarantined, (item) => readSleep(item, recoveries, window, context));
  return {
    records: [
      ...sleeps.flatMap(({ records }) => records),
      ...series.flatMap((name) =>
        context.samples(
          name,
          strap,
          sleeps.flatMap(({ samples }) => samples[name] ?? []),
        ),
      ),
    ],
    quarantined,
  };
}
