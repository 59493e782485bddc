import type { CanonicalRecord, Quarantined, Sample } from '@pulsewire/contract';
import { isWithin } from '../../kit/records/left-out.ts';
import { JsonNode, readEach, readWhole } from '../../kit/values/json-node.ts';
import { sleepRecords, type StageSpan } from '../../kit/records/sleep-records.ts';
import { resolveStages, type SleepDetail } from '../../kit/records/sleep/stages.ts';
import type { MappedRecords, PullWindow } from '../../kit/types/connector.ts';
import { recordedBy } from '../../kit/records/recorded-by.ts';
import type { Zone } from '../../kit/time/zone.ts';
import { deviceOfRow } from '../devices.ts';
import { byEpoch, instant, measured, rounded, sources, type WithingsContext } from '../withings.ts';

export const summaryFields =
  'total_timeinbed,total_sleep_time,asleepduration,lightsleepduration,remsleepduration,deepsleepduration,sleep_efficiency,sleep_latency,wakeupduration,wakeupcount,hr_average,hr_min,hr_max,rr_average,sleep_score,apnea_hypopnea_index';
export const detailFields = 'hr,rr,rmssd';

const mat = 32;
const stageCodes: Readonly<Record<number, number>> = { 0: 4, 1: 2, 2: 1, 3: 3, 4: 5, 15: 4 };

/** Sleep that was entered by hand has no stages. */
const byHand = 5;
const detailOf = ({ code }: StageSpan): SleepDetail => (code === -1 ? 'none' : code === byHand ? 'asleep' : 'stage');

/** A night in the summary list, before its details are read. */
export interface NightSummary {
  readonly item: JsonNode;
  readonly externalId: string;
  readonly day: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly sourceType: string;
  readonly timeZone: string | null;
  readonly zone: Zone;
}

/** The nights of a page of `getsummary` that lie in the window. */
export function readNights(body: unknown, window: PullWindow, quarantined: Quarantined[], context: WithingsContext): NightSummary[] {
  return readEach('sleep', new JsonNode(body).at('body').at('series'), quarantined, (item): NightSummary | undefined => {
    const [startMs, endMs] = [instant(item.at('startdate')), instant(item.at('enddate'))];
    if (endMs < startMs) throw item.at('enddate').fail('bad_time');
    const zoneName = item.at('timezone').value;
    const night = {
      item,
      externalId: item.at('id').id(),
      day: item.at('date').day(),
      startMs,
      endMs,
      sourceType: item.at('model').value === mat ? sources.mat : sources.watch,
      timeZone: typeof zoneName === 'string' ? zoneName : null,
      zone: context.zoneFor(zoneName, endMs),
    };
    return isWithin(night.day, window) ? night : undefined;
  });
}

interface Stretch {
  readonly span: StageSpan;
  readonly heart: readonly Sample[];
  readonly breaths: readonly Sample[];
  readonly hrv: readonly Sample[];
}

/** A mat and a watch may have recorded the same hours: each night has the details of its own device. */
function isOfOther(item: JsonNode, night: NightSummary): boolean {
  const [device, own] = [item.at('hash_deviceid').value, night.item.at('hash_deviceid').value];
  return typeof device === 'string' && typeof own === 'string' && device !== own;
}

function readStretch(item: JsonNode, night: NightSummary): Stretch | undefined {
  const { zone } = night;
  const [startMs, endMs] = [instant(item.at('startdate')), instant(item.at('enddate'))];
  if (endMs < startMs) throw item.at('enddate').fail('bad_time');
  if (isOfOther(item, night)) return undefined;
  // A response may list stretches of other nights among these: they are read with their own night.
  if (endMs <= night.startMs || startMs >= night.endMs) return undefined;
  const samples = (key: string): Sample[] =>
    byEpoch(item.at(key)).flatMap(([ms, node]) => {
      const value = measured(node);
      return value === null ? [] : [{ ts: ms, value, timezoneOffset: zone.offsetAt(ms), offsetFrom: zone.originAt(ms) }];
    });
  const code = stageCodes[item.at('state').number()] ?? -1;
  return { span: { code, startMs, endMs }, heart: samples('hr'), breaths: samples('rr'), hrv: samples('rmssd') };
}

function summaryOf(night: NightSummary, stretches: readonly Stretch[], context: WithingsContext): CanonicalRecord[] {
  const { item, zone, ...parts } = night;
  const data = item.at('data');
  const secondsOf = (key: string) => Math.round(data.at(key).optional((node) => node.amount()) ?? 0);
  const beats = stretches.flatMap(({ hrv }) => hrv.map(({ value }) => value ?? 0));
  return sleepRecords(context, {
    raw: item,
    ...parts,
    offset: zone.offsetAt(parts.startMs),
    offsetFrom: zone.originAt(parts.startMs),
    stages: resolveStages(stretches.map(({ span }) => ({ ...span, detail: detailOf(span) }))),
    seconds: {
      light: secondsOf('lightsleepduration'),
      deep: secondsOf('deepsleepduration'),
      rem: secondsOf('remsleepduration'),
      awake: secondsOf('wakeupduration'),
    },
    data: {
      score: rounded(data.at('sleep_score')),
      latency: rounded(data.at('sleep_latency')),
      hr_lowest: rounded(data.at('hr_min')),
      hr_average: rounded(data.at('hr_average')),
      respiratory_rate: measured(data.at('rr_average')),
      average_hrv: beats.length === 0 ? null : Math.round(beats.reduce((sum, value) => sum + value, 0) / beats.length),
    },
  });
}

/** Episodes of apnea and hypopnea per hour of the night; zero or less where the device does not measure them. */
function disturbancesOf({ item, startMs, endMs, zone }: NightSummary): Sample[] {
  const value = item
    .at('data')
    .at('apnea_hypopnea_index')
    .optional((node) => node.number());
  if (value === null || value <= 0) return [];
  return [{ ts: startMs, end: endMs, value, timezoneOffset: zone.offsetAt(startMs), offsetFrom: zone.originAt(startMs) }];
}

/**
 * A night with its details: summary, stages, RMSSD, respiratory rate and disturbances of breathing. A watch's heart rate comes with the
 * rest of its day; only a mat's is mapped from here.
 */
export function mapNight(detail: unknown, night: NightSummary, context: WithingsContext): MappedRecords {
  const quarantined: Quarantined[] = [];
  const list = new JsonNode(detail).at('body').at('series');
  const stretches = readEach('sleep_cycle', list, quarantined, (item) => readStretch(item, night));
  const summary = readWhole('sleep', quarantined, () => summaryOf(night, stretches, context)) ?? [];
  const disturbances = readWhole('sleep_breathing_disturbance', quarantined, () => disturbancesOf(night)) ?? [];
  const series = (resource: string, of: (stretch: Stretch) => readonly Sample[]) =>
    context.samples(resource, night.sourceType, stretches.flatMap(of));
  return {
    records: recordedBy<CanonicalRecord>(deviceOfRow(night.item, night.sourceType, context), [
      ...summary,
      ...series('hrv', ({ hrv }) => hrv),
      ...series('respiratory_rate', ({ breaths }) => breaths),
      ...context.samples('sleep_breathing_disturbance', night.sourceType, disturbances),
      ...(night.sourceType === sources.mat ? series('heartrate', ({ heart }) => heart) : []),
    ]),
    quarantined,
  };
}
