import type { Quarantined, Summary } from '@pulsewire/contract';
import { sleepRecords, type Night, type StageSpan } from '../../kit/records/sleep-records.ts';
import { within, type Span } from '../../kit/time/partition.ts';
import { resolveStages, type SleepClaim } from '../../kit/records/sleep/stages.ts';
import { roundTo } from '../../kit/values/numbers.ts';
import { readEach, readWhole, type JsonNode } from '../../kit/values/json-node.ts';
import type { UltrahumanDay } from '../day.ts';
import type { DayZone } from '../day-zone.ts';
import { figureOf, type FigureKind, readReading, readSeconds, ring, type UltrahumanContext } from '../ultrahuman.ts';

const stageCodes: Readonly<Record<string, number>> = { deep: 1, light: 2, rem: 3, awake: 4 };
const awakeCode = 4;

/** `deep_sleep` in some responses, `deep` in others. */
const stageName = (text: string) => text.toLowerCase().replace(/_sleep$/, '');
const rounded = (value: number | null) => (value === null ? null : Math.round(value));

/** The stages of the graph, which may be an empty list or object. */
function readStages(sleep: JsonNode, night: Span, quarantined: Quarantined[]): StageSpan[] {
  const data = sleep.at('sleep_graph').at('data');
  if (data.isMissing) return [];
  const spans = readEach('sleep_cycle', data, quarantined, (item): SleepClaim => {
    const [startMs, endMs] = [readSeconds(item.at('start')), readSeconds(item.at('end'))];
    if (endMs < startMs) throw item.at('end').fail('bad_time');
    const code = stageCodes[stageName(item.at('type').text())];
    return { code: code ?? -1, detail: code === undefined ? 'none' : 'stage', startMs, endMs };
  });
  return resolveStages(within(spans, night));
}

/** The sums of the stages: a list of them, else one object for each; null where neither is complete. */
function readSums(sleep: JsonNode): Night['seconds'] | null {
  const listed = new Map(
    sleep
      .at('sleep_stages')
      .itemsOrNone()
      .map((item) => [stageName(item.at('type').text()), Math.round(item.at('stage_time').amount())]),
  );
  const of = (name: string) => listed.get(name) ?? rounded(figureOf(sleep.at(`${name}_sleep`), 'duration'));
  const [light, deep, rem] = [of('light'), of('deep'), of('rem')];
  const awake = listed.get('awake');
  if (light === null || deep === null || rem === null || awake === undefined) return null;
  return { light, deep, rem, awake };
}

/** One of the figures that the app shows at the top, by type or by its title. */
function quickMetric(sleep: JsonNode, type: string, title: string): number | null {
  const metrics = sleep.at('quick_metrics').value;
  if (!Array.isArray(metrics)) return null;
  const items = sleep.at('quick_metrics').items();
  const found = items.find((item) => item.at('type').value === type) ?? items.find((item) => item.at('title').value === title);
  return found?.at('value').optional((node) => node.number()) ?? null;
}

function readGraph(sleep: JsonNode, name: string): readonly number[] {
  const { value } = sleep.at(name).at('data');
  if (!Array.isArray(value)) return [];
  return readEach('sleep', sleep.at(name).at('data'), [], readReading).map((reading) => reading.value);
}

const mean = (values: readonly number[]) => (values.length === 0 ? null : values.reduce((a, b) => a + b, 0) / values.length);

/** Seconds awake before the first sleep of the graph. */
function latencyOf(startMs: number, stages: readonly StageSpan[]): number | null {
  const first = stages.find(({ code }) => code !== awakeCode);
  return first === undefined ? null : Math.max(0, Math.round((first.startMs - startMs) / 1000));
}

function readNight(
  { day, metrics }: UltrahumanDay,
  { zone }: DayZone,
  sleep: JsonNode,
  context: UltrahumanContext,
  quarantined: Quarantined[],
): Summary[] {
  const [startMs, endMs] = [readSeconds(sleep.at('bedtime_start')), readSeconds(sleep.at('bedtime_end'))];
  if (endMs < startMs) throw sleep.at('bedtime_end').fail('bad_time');
  const stages = readStages(sleep, { startMs, endMs }, quarantined);
  const seconds = readSums(sleep);
  const metric = (name: string, kind: FigureKind = 'plain') => {
    const node = metrics.get(name);
    return node === undefined ? null : figureOf(node, kind);
  };
  const heart = readGraph(sleep, 'hr_graph').filter((beats) => beats > 0);
  const skin = mean(readGraph(sleep, 'temp_graph').filter((celsius) => celsius > 0));
  const nightAverage =
    metrics
      .get('night_rhr')
      ?.at('avg')
      .optional((node) => node.number()) ?? null;
  const score = sleep
    .at('score_trend')
    .at('day_avg')
    .optional((node) => node.number());
  return sleepRecords(context, {
    raw: sleep,
    // There is no id, and one night for a day.
    externalId: `sleep-${day}`,
    sourceType: ring,
    day,
    startMs,
    endMs,
    offset: zone.offsetAt(startMs),
    offsetFrom: zone.originAt(startMs),
    stages,
    ...(seconds && { seconds }),
    data: {
      score: rounded(score ?? figureOf(sleep.at('sleep_score'), 'score') ?? metric('sleep_score', 'score')),
      recovery_readiness_score: rounded(metric('recovery_index')),
      hr_average: rounded(quickMetric(sleep, 'avg_hr', 'AVG HEART RATE')),
      hr_lowest: heart.length === 0 ? null : Math.min(...heart),
      hr_resting: rounded(metric('sleep_rhr') ?? nightAverage),
      average_hrv: metric('avg_sleep_hrv') ?? quickMetric(sleep, 'avg_hrv', 'AVG HRV'),
      temperature_delta: figureOf(sleep.at('temperature_deviation'), 'celsius') ?? metric('temperature_deviation', 'celsius'),
      skin_temperature: skin === null ? null : roundTo(skin, 2),
      latency: latencyOf(startMs, stages),
    },
  });
}

/** The night that ended on the day, with its cycle. None where the ring recorded no sleep. */
export function mapSleep(day: UltrahumanDay, clocks: DayZone, context: UltrahumanContext, quarantined: Quarantined[]): Summary[] {
  const sleep = day.metrics.get('sleep');
  if (sleep === undefined || sleep.at('bedtime_start').isMissing || sleep.at('bedtime_end').isMissing) return [];
  return readWhole('sleep', quarantined, () => readNight(day, clocks, sleep, context, quarantined)) ?? [];
}
