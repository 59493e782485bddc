import type { CanonicalRecord, Quarantined } from '@pulsewire/contract';
import { deviceOfPoint } from '../account.ts';
import { sourceOfPoint, type PointSource } from '../device-types.ts';
import type { NightFacts } from './night-facts.ts';
import { isUnderWay, readEachPoint, readInterval, readPointId, type PointInterval } from '../read-point.ts';
import type { RecordMaker } from '../../kit/records/record-maker.ts';
import { recordedBy } from '../../kit/records/recorded-by.ts';
import { sleepRecords } from '../../kit/records/sleep-records.ts';
import { resolveStages, type SleepClaim } from '../../kit/records/sleep/stages.ts';
import { within } from '../../kit/time/partition.ts';
import { parseInstant } from '../../kit/time/time.ts';
import type { MappedRecords } from '../../kit/types/connector.ts';
import { JsonNode, readEach, readEachOf } from '../../kit/values/json-node.ts';

// Classic sleeps have no stages. Asleep counts as light, because the total must add up; restless counts as awake.
const awake = 4;
const words: ReadonlyMap<string, Pick<SleepClaim, 'code' | 'detail'>> = new Map([
  ['DEEP', { code: 1, detail: 'stage' }],
  ['LIGHT', { code: 2, detail: 'stage' }],
  ['REM', { code: 3, detail: 'stage' }],
  ['AWAKE', { code: awake, detail: 'stage' }],
  ['ASLEEP', { code: 2, detail: 'asleep' }],
  ['RESTLESS', { code: awake, detail: 'stage' }],
]);

/** `isWakeList`: a list of wakes that interrupt the stages of another list. */
function readSegments(list: JsonNode, isWakeList: boolean, quarantined: Quarantined[]): SleepClaim[] {
  if (list.isMissing) return [];
  return readEach('sleep', list, quarantined, (stage): SleepClaim => {
    const [startMs, endMs] = [stage.at('startTime').time(parseInstant).ms, stage.at('endTime').time(parseInstant).ms];
    const { code, detail } = words.get(stage.at('type').text()) ?? { code: -1, detail: 'none' };
    return { startMs, endMs, code, detail: isWakeList ? 'wake' : detail };
  });
}

/** Minutes of each stage of a night; null unless the summary has them. */
function readStageTotals(summary: JsonNode) {
  const minutes = new Map<unknown, number>();
  for (const stage of summary.at('stagesSummary').itemsOrNone()) minutes.set(stage.at('type').value, stage.at('minutes').amount());
  const secondsOf = (...names: string[]) => names.reduce((sum, name) => sum + (minutes.get(name) ?? 0) * 60, 0);
  const seconds = {
    light: secondsOf('LIGHT', 'ASLEEP'),
    deep: secondsOf('DEEP'),
    rem: secondsOf('REM'),
    awake: secondsOf('AWAKE', 'RESTLESS'),
  };
  return seconds.light + seconds.deep + seconds.rem === 0 ? null : { seconds };
}

/** Seconds by stage of a night that only has totals: an app wrote it through Health Connect. */
function readTotals(summary: JsonNode) {
  const byStage = readStageTotals(summary);
  if (byStage !== null) return byStage;
  const minutesOf = (key: string) => summary.at(key).optional((node) => node.amount());
  const asleep = minutesOf('minutesAsleep');
  if (asleep === null) return {};
  const inPeriod = minutesOf('minutesInSleepPeriod');
  const wake = minutesOf('minutesAwake') ?? (inPeriod === null ? 0 : Math.max(0, inPeriod - asleep));
  return { seconds: { light: asleep * 60, deep: 0, rem: 0, awake: wake * 60 } };
}

interface ReadNight {
  readonly point: JsonNode;
  readonly id: string;
  readonly source: PointSource;
  readonly times: PointInterval;
  readonly sleep: JsonNode;
  /** null: not stated, as before May 2026 and for nights of other apps. */
  readonly isMain: boolean | null;
}

function readNight(point: JsonNode, context: RecordMaker): ReadNight | undefined {
  const sleep = point.at('sleep');
  if (isUnderWay(sleep)) return undefined;
  const main = sleep.at('metadata').at('mainSleep').value;
  const isMain = typeof main === 'boolean' ? main : null;
  const times = readInterval(sleep, context);
  return { point, id: readPointId(point), source: sourceOfPoint(point, context.user, times.end.ms), times, sleep, isMain };
}

/** The ids of each day's main sleep: the one that Google names, otherwise the longest of the day. */
function findMain(nights: readonly ReadNight[]): ReadonlySet<string> {
  const lengthOf = ({ times }: ReadNight) => times.end.ms - times.start.ms;
  const byDay = Map.groupBy(nights, ({ times }) => times.end.day);
  const main = [...byDay.values()].map((ofDay) => {
    return ofDay.find(({ isMain }) => isMain === true) ?? ofDay.reduce((a, b) => (lengthOf(b) > lengthOf(a) ? b : a));
  });
  return new Set(main.map(({ id }) => id));
}

function buildNight(
  night: ReadNight,
  facts: Readonly<Record<string, unknown>>,
  context: RecordMaker,
  quarantined: Quarantined[],
): readonly CanonicalRecord[] {
  const { id, source, times, sleep } = night;
  const { type: sourceType, formerly } = source;
  const { start, end } = times;
  const segments = [
    ...readSegments(sleep.at('stages'), false, quarantined),
    ...readSegments(sleep.at('shortAwakenings'), true, quarantined),
  ];
  // Apps write stages that overlap or reach beyond the night: the sum must not be longer than the night.
  const stages = resolveStages(within(segments, { startMs: start.ms, endMs: end.ms }));
  const summary = sleep.at('summary');
  const metadata = sleep.at('metadata');
  const latency = summary.at('minutesToFallAsleep').optional((node) => node.amount());
  const records = sleepRecords(context, {
    raw: night.point,
    externalId: id,
    sourceType,
    day: end.day,
    startMs: start.ms,
    endMs: end.ms,
    offset: end.offset,
    offsetFrom: end.offsetFrom,
    stages,
    ...(stages.length === 0 && readTotals(summary)),
    // Flags are left out when they are false.
    isNap: metadata.at('nap').value === true,
    timeZone: context.zoneOn(end.day).name,
    data: {
      latency: latency === null ? null : latency * 60,
      // Without metadata the night came from another app and is final.
      state: metadata.isMissing || metadata.at('processed').value === true ? 'confirmed' : 'tentative',
      ...facts,
    },
  });
  const former = formerly === null ? [] : ['sleep', 'sleep_cycle'];
  const removals = former.map((resource) => context.removal({ resource, sourceType: formerly ?? '', externalId: id }));
  return [...recordedBy(deviceOfPoint(night.point, context), records), ...removals];
}

/**
 * All pages of `sleep` of some days: a sleep for each, and its cycle where stages are known. Together, because a page may end between two
 * sleeps of a day, of which only the main one has the day's facts.
 */
export function mapSleep(bodies: readonly unknown[], facts: NightFacts, context: RecordMaker): MappedRecords {
  const quarantined: Quarantined[] = [];
  const pages = bodies.map((body) => ({ body, nights: readEachPoint('sleep', body, quarantined, (point) => readNight(point, context)) }));
  const main = findMain(pages.flatMap(({ nights }) => nights));
  const factsOf = ({ id, times }: ReadNight) => (main.has(id) ? (facts.get(times.end.day) ?? {}) : {});
  const records = pages.flatMap(({ body, nights }) =>
    readEachOf('sleep', new JsonNode(body), nights, quarantined, (night) => buildNight(night, factsOf(night), context, quarantined)),
  );
  return { records: records.flat(), quarantined };
}
