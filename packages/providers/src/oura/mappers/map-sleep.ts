import type { CanonicalRecord, Quarantined, Sample } from '@pulsewire/contract';
import { isWithin } from '../../kit/records/left-out.ts';
import { JsonNode, readEach, readWhole } from '../../kit/values/json-node.ts';
import { joinStages, sleepRecords, type StageSpan } from '../../kit/records/sleep-records.ts';
import { parseInstant } from '../../kit/time/time.ts';
import type { MappedRecords, PullWindow } from '../../kit/types/connector.ts';
import { offsetBetween, readIntervalSamples } from '../interval-samples.ts';
import { ring, ringSamples, type OuraContext } from '../oura.ts';

const stageCodes: Readonly<Record<string, number>> = { 1: 1, 2: 2, 3: 3, 4: 4 };

/** Scores of the days, from `daily_sleep`; they belong to the main sleep of the day. */
export type SleepScores = ReadonlyMap<string, number>;

export function readSleepScores(body: unknown): SleepScores {
  const read = readEach('sleep', new JsonNode(body).at('data'), [], (item) => [item.at('day').day(), item.at('score').number()] as const);
  return new Map(read);
}

/** A digit for each step from the start; the last step may reach beyond the end of the night. */
function readStages(item: JsonNode, startMs: number, endMs: number): StageSpan[] {
  const digitsOf = (key: string) => item.at(key).optional((node) => node.text()) ?? '';
  const fine = digitsOf('sleep_phase_30_sec');
  // Blank where the ring recorded only the coarse ones.
  const [digits, stepMs] = fine === '' ? [digitsOf('sleep_phase_5_min'), 300_000] : [fine, 30_000];
  const spans = digits.split('').flatMap((digit, index): StageSpan[] => {
    const from = startMs + index * stepMs;
    return from >= endMs ? [] : [{ code: stageCodes[digit] ?? -1, startMs: from, endMs: Math.min(from + stepMs, endMs) }];
  });
  return joinStages(spans);
}

interface Read {
  readonly records: readonly CanonicalRecord[];
  readonly hrv: readonly Sample[];
  readonly breath: readonly Sample[];
}

function rounded(item: JsonNode, key: string): number | null {
  return item.at(key).optional((node) => Math.round(node.amount()));
}

function readSleep(
  item: JsonNode,
  scores: SleepScores,
  window: PullWindow | null,
  context: OuraContext,
  quarantined: Quarantined[],
): Read | undefined {
  const externalId = item.at('id').id();
  const type = item.at('type').text();
  const day = item.at('day').day();
  // `rest` is lying down without sleeping.
  if (type === 'rest' || !isWithin(day, window)) return undefined;
  if (type === 'deleted') return { records: removeSleep(externalId, context), hrv: [], breath: [] };
  const start = item.at('bedtime_start').time(parseInstant);
  const end = item.at('bedtime_end').time(parseInstant);
  if (end.ms < start.ms) throw item.at('bedtime_end').fail('bad_time');
  const secondsOf = (key: string) => item.at(key).optional((node) => node.amount()) ?? 0;
  const isMain = type === 'long_sleep';
  const readiness = item.at('readiness');
  const average = item.at('average_breath').optional((node) => node.amount());
  const records = sleepRecords(context, {
    raw: item,
    externalId,
    sourceType: ring,
    day,
    startMs: start.ms,
    endMs: end.ms,
    offset: start.offset,
    stages: readWhole('sleep_cycle', quarantined, () => readStages(item, start.ms, end.ms)) ?? [],
    seconds: {
      light: secondsOf('light_sleep_duration'),
      deep: secondsOf('deep_sleep_duration'),
      rem: secondsOf('rem_sleep_duration'),
      awake: secondsOf('awake_time'),
    },
    data: {
      score: isMain ? (scores.get(day) ?? null) : null,
      recovery_readiness_score: isMain ? rounded(readiness, 'score') : null,
      hr_lowest: rounded(item, 'lowest_heart_rate'),
      hr_average: rounded(item, 'average_heart_rate'),
      latency: rounded(item, 'latency'),
      average_hrv: item.at('average_hrv').optional((node) => node.amount()),
      respiratory_rate: average,
      temperature_delta: readiness.at('temperature_deviation').optional((node) => node.number()),
    },
  });
  return {
    records,
    hrv: readIntervalSamples('hrv', item.at('hrv'), offsetBetween(start, end), quarantined),
    // One value per night, at the end of the night.
    breath: average === null ? [] : [{ ts: end.ms, value: average, timezoneOffset: end.offset }],
  };
}

/** The removals for a deleted sleep. */
export function removeSleep(externalId: string, context: OuraContext): CanonicalRecord[] {
  return ['sleep', 'sleep_cycle'].map((resource) => context.removal({ resource, sourceType: ring, externalId }));
}

/** `sleep`: for each a summary and its cycle, RMSSD every five minutes, and the respiratory rate. */
export function mapSleep(body: unknown, scores: SleepScores, window: PullWindow | null, context: OuraContext): MappedRecords {
  const quarantined: Quarantined[] = [];
  const sleeps = readEach('sleep', new JsonNode(body).at('data'), quarantined, (item) =>
    readSleep(item, scores, window, context, quarantined),
  );
  return {
    records: [
      ...sleeps.flatMap(({ records }) => records),
      ...ringSamples(
        context,
        'hrv',
        sleeps.flatMap(({ hrv }) => hrv),
      ),
      ...ringSamples(
        context,
        'respiratory_rate',
        sleeps.flatMap(({ breath }) => breath),
      ),
    ],
    quarantined,
  };
}
