import type { CanonicalRecord, Quarantined, Sample } from '@pulsewire/contract';
import { isWithin } from '../../kit/records/left-out.ts';
import { readEach, readWhole, type JsonNode } from '../../kit/values/json-node.ts';
import { joinStages, sleepRecords, type StageSpan } from '../../kit/records/sleep-records.ts';
import { recordedBy } from '../../kit/records/recorded-by.ts';
import type { MappedRecords, PullWindow } from '../../kit/types/connector.ts';
import { openClock, pointsOf, readNightClock, type NightClock } from '../time/clock.ts';
import { readLocalDay } from '../time/parse-times.ts';
import { listIn, polarDevice, positive, watch, type PolarContext } from '../polar.ts';
import { walkClock } from '../time/walk-clock.ts';

const stageCodes: Readonly<Record<number, number>> = { 0: 4, 1: 3, 2: 2, 3: 2, 4: 1 };
const bound = (ms: number, { start, end }: NightClock): number => Math.min(Math.max(ms, start.ms), end.ms);

/** The time span that contains a night's wall clocks. Without the night: from the previous evening until the evening. */
function spanOf(date: string, nights: ReadonlyMap<string, NightClock>, { clock }: PolarContext) {
  const night = nights.get(date);
  if (night) return { fromMs: night.start.ms, untilMs: night.end.ms, zone: openClock(pointsOf([night]), null) };
  const { ms } = clock.startOfDay(date);
  return { fromMs: ms - 6 * 3_600_000, untilMs: ms + 18 * 3_600_000, zone: clock };
}

/** An unreadable stage is mapped as unknown: if it were skipped, the previous stage would be extended. */
function stageOf({ value }: JsonNode): number {
  return stageCodes[Number(value ?? Number.NaN)] ?? -1;
}

function readStages(item: JsonNode, night: NightClock, quarantined: Quarantined[], context: PolarContext): StageSpan[] {
  const span = spanOf('', new Map([['', night]]), context);
  const changes = walkClock(item.at('hypnogram'), span, { resource: 'sleep_cycle', quarantined, read: stageOf });
  const spans = changes.flatMap(({ ms, value: code }, index) => {
    const [startMs, endMs] = [bound(ms, night), bound(changes[index + 1]?.ms ?? night.end.ms, night)];
    return endMs > startMs ? [{ code, startMs, endMs }] : [];
  });
  // Polar's two kinds of light sleep are merged.
  return joinStages(spans);
}

interface Recharge {
  readonly date: string;
  readonly data: Readonly<Record<string, number | null>>;
  readonly hrv: readonly Sample[];
  readonly breaths: readonly Sample[];
}

function readRecharge(
  item: JsonNode,
  nights: ReadonlyMap<string, NightClock>,
  quarantined: Quarantined[],
  context: PolarContext,
): Recharge {
  const date = readLocalDay(item.at('date'));
  const span = spanOf(date, nights, context);
  const read = (resource: string, key: string) => walkClock(item.at(key), span, { resource, quarantined, read: (node) => node.amount() });
  const samples = (resource: string, key: string): Sample[] =>
    (readWhole(resource, quarantined, () => read(resource, key)) ?? []).map(({ ms, value }) => ({
      ts: ms,
      value,
      timezoneOffset: span.zone.offsetAt(ms),
      offsetFrom: span.zone.originAt(ms),
    }));
  const heart = positive(item.at('heart_rate_avg'));
  return {
    date,
    data: {
      hr_average: heart === null ? null : Math.round(heart),
      average_hrv: positive(item.at('heart_rate_variability_avg')),
      respiratory_rate: positive(item.at('breathing_rate_avg')),
    },
    hrv: samples('hrv', 'hrv_samples'),
    breaths: samples('respiratory_rate', 'breathing_samples'),
  };
}

function readNight(
  item: JsonNode,
  recharges: ReadonlyMap<string, Recharge>,
  quarantined: Quarantined[],
  context: PolarContext,
): CanonicalRecord[] {
  const date = readLocalDay(item.at('date'));
  const night = readNightClock(item);
  const { start, end } = night;
  if (end.ms < start.ms) throw item.at('sleep_end_time').fail('bad_time');
  const secondsOf = (key: string) => Math.round(item.at(key).optional((node) => node.amount()) ?? 0);
  const span = spanOf('', new Map([['', night]]), context);
  const readBeats = () => walkClock(item.at('heart_rate_samples'), span, { resource: 'sleep', quarantined, read: positive });
  const beats = readWhole('sleep', quarantined, readBeats) ?? [];
  const lowest = Math.min(...beats.flatMap(({ value }) => value ?? []));
  const score = positive(item.at('sleep_score'));
  const records = sleepRecords(context, {
    raw: item,
    externalId: date,
    sourceType: watch,
    day: date,
    startMs: start.ms,
    endMs: end.ms,
    offset: start.offset,
    stages: readWhole('sleep_cycle', quarantined, () => readStages(item, night, quarantined, context)) ?? [],
    seconds: {
      light: secondsOf('light_sleep'),
      deep: secondsOf('deep_sleep'),
      rem: secondsOf('rem_sleep'),
      awake: secondsOf('total_interruption_duration'),
    },
    data: {
      score: score === null ? null : Math.round(score),
      hr_lowest: Number.isFinite(lowest) ? lowest : null,
      ...recharges.get(date)?.data,
    },
  });
  return [...recordedBy(polarDevice(item, context, null), records)];
}

/**
 * `sleep` and `nightly-recharge`: for each night a summary and its stages, and RMSSD and respiratory rate every five minutes. The
 * night's heart rate is part of the continuous heart rate.
 */
export function mapSleep(
  responses: { readonly sleep: unknown; readonly recharge: unknown },
  window: PullWindow,
  context: PolarContext,
): MappedRecords {
  const quarantined: Quarantined[] = [];
  const requested = <T>(item: JsonNode, read: () => T): T | undefined =>
    isWithin(readLocalDay(item.at('date')), window) ? read() : undefined;
  const nightList = listIn(responses.sleep, 'nights');
  const clocks = readEach('sleep', nightList, [], (item) => [readLocalDay(item.at('date')), readNightClock(item)] as const);
  const recharges = readEach('hrv', listIn(responses.recharge, 'recharges'), quarantined, (item) =>
    requested(item, () => readRecharge(item, new Map(clocks), quarantined, context)),
  );
  const byDate = new Map(recharges.map((recharge) => [recharge.date, recharge]));
  const nights = readEach('sleep', nightList, quarantined, (item) => requested(item, () => readNight(item, byDate, quarantined, context)));
  return {
    records: [
      ...nights.flat(),
      ...context.samples(
        'hrv',
        watch,
        recharges.flatMap(({ hrv }) => hrv),
      ),
      ...context.samples(
        'respiratory_rate',
        watch,
        recharges.flatMap(({ breaths }) => breaths),
      ),
    ],
    quarantined,
  };
}
