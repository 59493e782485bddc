import type { CanonicalRecord, Quarantined, Sample } from '@pulsewire/contract';
import { deviceOf, recordedBy, textOrNull } from '../kit/records/recorded-by.ts';
import type { RecordMaker } from '../kit/records/record-maker.ts';
import { secondsByStage, sleepRecords, type Night } from '../kit/records/sleep-records.ts';
import { openZone, type Zone } from '../kit/time/zone.ts';
import { readEach, readWhole, type JsonNode } from '../kit/values/json-node.ts';
import { roundTo } from '../kit/values/numbers.ts';
import type { DayFacts } from './day-facts.ts';
import { mattress } from './eight-sleep.ts';
import { figureOf, instantOf, readReading, type Reading } from './read-reading.ts';
import { readStages, type SessionStages } from './stages.ts';

/** Series of a session, by the resource that they become. `hrv` is another measure than RMSSD. */
const series = { heartrate: 'heartRate', hrv: 'rmssd', respiratory_rate: 'respiratoryRate' } as const;
type SeriesName = keyof typeof series;
type Readings = Readonly<Record<SeriesName, Reading[]>>;

/** Zones of sessions, each opened once. */
export type ZoneReader = (name: string) => Zone | undefined;

export function createZoneReader(): ZoneReader {
  const opened = new Map<string, Zone | undefined>();
  return (name) => {
    if (!opened.has(name)) opened.set(name, openZone(name));
    return opened.get(name);
  };
}

const mean = (readings: readonly Reading[]): number | null =>
  readings.length === 0 ? null : readings.reduce((sum, { value }) => sum + value, 0) / readings.length;

const rounded = (value: number | null, digits = 0): number | null => (value === null ? null : roundTo(value, digits));

/** The sums of a session without stages; null where there are none. */
function readSums(summary: JsonNode): NonNullable<Night['seconds']> | null {
  if (summary.isMissing) return null;
  const of = (name: string) => Math.round(figureOf(summary.at(`${name}Duration`)) ?? 0);
  return { light: of('light'), deep: of('deep'), rem: of('rem'), awake: of('awake') + of('outBetweenSleep') };
}

/** Sleep without detail counts as light in the sums, because the total must add up. */
function sumStages({ spans, asleepSeconds }: SessionStages): NonNullable<Night['seconds']> {
  const { light, deep, rem, awake } = secondsByStage(spans);
  return { light: light + asleepSeconds, deep, rem, awake };
}

function deviceOfSession(session: JsonNode, context: RecordMaker) {
  const device = session.at('device');
  return deviceOf(context, {
    externalId: textOrNull(device.at('id')),
    sourceType: mattress,
    manufacturer: 'Eight Sleep',
    model: textOrNull(device.at('specialization')),
    version: null,
  });
}

/** The sleep and the cycle of a session; none while it has neither stages nor sums. */
function readNight(
  session: JsonNode,
  day: DayFacts,
  context: RecordMaker,
  zone: Zone,
  { heartrate: beats, hrv: rmssd, respiratory_rate: breaths }: Readings,
  quarantined: Quarantined[],
): readonly CanonicalRecord[] {
  const externalId = session.at('id').id();
  const startMs = instantOf(session.at('ts'));
  if (startMs === null) throw session.at('ts').fail('missing_field');
  const presenceEnd = instantOf(session.at('presenceEnd'));
  const staged = readStages(session.at('stages'), startMs, presenceEnd, quarantined);
  const stages = staged.spans;
  const endMs = presenceEnd ?? stages.at(-1)?.endMs ?? null;
  const summary = session.at('stageSummary');
  const sums = stages.length === 0 ? readSums(summary) : sumStages(staged);
  if (endMs === null || endMs < startMs || (stages.length === 0 && sums === null)) return [];
  const figures = day.figuresOf(externalId);
  return sleepRecords(context, {
    externalId,
    sourceType: mattress,
    raw: session,
    day: day.day,
    startMs,
    endMs,
    offset: zone.offsetAt(startMs),
    offsetFrom: zone.originAt(startMs),
    stages,
    ...(sums && { seconds: sums }),
    timeZone: zone.name,
    data: {
      score: figures.score,
      hr_lowest: beats.length === 0 ? null : Math.round(Math.min(...beats.map(({ value }) => value))),
      hr_average: rounded(mean(beats) ?? figures.heartRate),
      average_hrv: rounded(mean(rmssd) ?? figures.hrv, 1),
      respiratory_rate: rounded(mean(breaths) ?? figures.respiratoryRate, 1),
      latency: rounded(figureOf(summary.at('awakeBeforeSleepDuration')) ?? figures.latency),
      state: day.isTentative ? 'tentative' : 'confirmed',
    },
  });
}

/** One session of a day: its series, which do not depend on its stages, and its night. */
export function readSession(
  session: JsonNode,
  day: DayFacts,
  context: RecordMaker,
  zoneOf: ZoneReader,
  quarantined: Quarantined[],
): readonly CanonicalRecord[] {
  const name = textOrNull(session.at('timezone'));
  const zone = (name === null ? undefined : zoneOf(name)) ?? context.zoneOn(day.day);
  const readings = (of: SeriesName): Reading[] => {
    const list = session.at('timeseries').at(series[of]);
    return list.isBlank ? [] : readEach(of, list, quarantined, readReading);
  };
  const all: Readings = { heartrate: readings('heartrate'), hrv: readings('hrv'), respiratory_rate: readings('respiratory_rate') };
  const samples = (Object.keys(series) as SeriesName[]).flatMap((of) =>
    context.samples(
      of,
      mattress,
      all[of].map((reading): Sample => ({ ...reading, timezoneOffset: zone.offsetAt(reading.ts), offsetFrom: zone.originAt(reading.ts) })),
    ),
  );
  const night = readWhole('sleep', quarantined, () => readNight(session, day, context, zone, all, quarantined)) ?? [];
  return recordedBy<CanonicalRecord>(deviceOfSession(session, context), [...night, ...samples]);
}
