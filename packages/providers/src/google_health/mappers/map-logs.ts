import { renderDateTime, type CanonicalRecord, type OffsetOrigin, type Quarantined, type Sample } from '@pulsewire/contract';
import { deviceOfPoint } from '../account.ts';
import { keyOf, type Bodies } from '../data-points.ts';
import { isUnderWay, readEachPoint, readInterval, readSampleTime, type PointTime } from '../read-point.ts';
import { isWithin } from '../../kit/records/left-out.ts';
import type { RecordMaker } from '../../kit/records/record-maker.ts';
import { recordedBy } from '../../kit/records/recorded-by.ts';
import type { MappedRecords, PullWindow } from '../../kit/types/connector.ts';
import type { JsonNode } from '../../kit/values/json-node.ts';
import { roundTo } from '../../kit/values/numbers.ts';

/** The newest page of `height`, whose first point is the current height. Google's own profile has neither birthday nor sex. */
export function mapProfile(body: unknown, context: RecordMaker): MappedRecords {
  const quarantined: Quarantined[] = [];
  const [newest] = readEachPoint('profile', body, quarantined, (point) => ({
    height: roundTo(point.at('height').at('heightMillimeters').amount() / 10, 0),
    raw: point,
  }));
  if (newest === undefined) return { records: [], quarantined };
  const ids = { sourceType: 'app', externalId: 'profile', calendarDate: null };
  // A profile has no time; a fixed instant keeps an unchanged profile unchanged.
  return {
    records: [context.summary({ ...ids, resource: 'profile', at: 0, data: { height: newest.height }, raw: newest.raw })],
    quarantined,
  };
}

/** A page of `hydration-log`: the water drunk, in ml. */
export function mapWater(body: unknown, context: RecordMaker): MappedRecords {
  const quarantined: Quarantined[] = [];
  const samples = readEachPoint('water', body, quarantined, (point): Sample => {
    const log = point.at('hydrationLog');
    const { start, end } = readInterval(log, context);
    const value = log.at('amountConsumed').at('milliliters').amount();
    return { ts: start.ms, end: end.ms, value, timezoneOffset: start.offset, offsetFrom: start.offsetFrom };
  });
  return { records: context.samples('water', 'app', samples), quarantined };
}

/** A page of `irregular-rhythm-notification`: one alert each. The beats behind an alert belong to no series. */
export function mapAlerts(body: unknown, context: RecordMaker): MappedRecords {
  const quarantined: Quarantined[] = [];
  const samples = readEachPoint('heart_rate_alert', body, quarantined, (point): Sample => {
    const { start, end } = readInterval(point.at('irregularRhythmNotification'), context);
    return { ts: start.ms, end: end.ms, value: 1, timezoneOffset: start.offset, offsetFrom: start.offsetFrom };
  });
  return { records: context.samples('heart_rate_alert', 'watch', samples, 'irregular_rhythm'), quarantined };
}

const voltagesMax = 100_000;

type Result = readonly [classification: string | null, cause: string | null];

const results: ReadonlyMap<unknown, Result> = new Map<unknown, Result>([
  ['NORMAL_SINUS_RHYTHM', ['sinus_rhythm', null]],
  ['ATRIAL_FIBRILLATION', ['atrial_fibrillation', null]],
  ['INCONCLUSIVE', ['inconclusive', null]],
  ['INCONCLUSIVE_HIGH_HEART_RATE', ['inconclusive', 'high_heart_rate']],
  ['INCONCLUSIVE_LOW_HEART_RATE', ['inconclusive', 'low_heart_rate']],
  ['UNREADABLE', ['inconclusive', 'poor_reading']],
]);

function readVoltages(ecg: JsonNode, start: PointTime, hertz: number): Sample[] {
  const scale = ecg.at('millivoltsScalingFactor').amount();
  if (scale === 0 || hertz === 0) throw ecg.at('millivoltsScalingFactor').fail('bad_number');
  const raw = ecg.at('waveformSamples').itemsOrNone();
  if (raw.length > voltagesMax) throw ecg.at('waveformSamples').fail('unknown_shape');
  return raw.map((node, index) => ({
    ts: start.ms + Math.round((index * 1000) / hertz),
    value: roundTo(node.number() / scale, 5),
    timezoneOffset: start.offset,
    offsetFrom: start.offsetFrom,
  }));
}

function readEcg(point: JsonNode, window: PullWindow, context: RecordMaker): readonly CanonicalRecord[] {
  const ecg = point.at('electrocardiogram');
  // The interval has no length; the duration follows from the samples. Old recordings lack their offset, which then is left out or zero.
  const { start } = readInterval(ecg, context, 'unknown');
  if (!isWithin(start.day, window)) return [];
  const hertz = ecg.at('samplingFrequencyHertz').amount();
  const voltages = readVoltages(ecg, start, hertz);
  const [classification, cause] = results.get(ecg.at('resultClassification').value) ?? [null, null];
  const summary = context.summary({
    resource: 'electrocardiogram',
    sourceType: 'watch',
    // These points have no name; a watch records one at a time.
    externalId: String(start.ms),
    calendarDate: start.day,
    at: start.ms,
    offsetFrom: start.offsetFrom,
    data: {
      session_start: renderDateTime(start.ms),
      session_end: renderDateTime(start.ms + Math.round((voltages.length * 1000) / hertz)),
      voltage_sample_count: voltages.length,
      heart_rate_mean: ecg.at('beatsPerMinuteAvg').optional((node) => Math.round(node.amount())),
      sampling_frequency_hz: hertz,
      classification,
      inconclusive_cause: cause,
      time_zone: context.zoneOn(start.day).name,
      source_device_model: ecg
        .at('medicalDeviceInfo')
        .at('deviceModel')
        .optional((node) => node.words()),
    },
  });
  const records: CanonicalRecord[] = [summary, ...context.samples('electrocardiogram_voltage', 'watch', voltages, 'lead_1')];
  return recordedBy(deviceOfPoint(point, context), records);
}

/** A page of `electrocardiogram`: a summary for each that starts in the window, and its voltages in mV. */
export function mapEcg(body: unknown, window: PullWindow, context: RecordMaker): MappedRecords {
  const quarantined: Quarantined[] = [];
  return { records: readEachPoint('electrocardiogram', body, quarantined, (point) => readEcg(point, window, context)).flat(), quarantined };
}

/** The data types in which a person can write a note, in kebab case, and what the note is about. */
export const notedTypes = { weight: 'unspecified', 'blood-glucose': 'unspecified', exercise: 'exercise' } as const;

interface Note extends Pick<Sample, 'ts' | 'timezoneOffset'> {
  readonly end: number;
  readonly offsetFrom: OffsetOrigin;
  readonly text: string;
  readonly tag: string;
}

function readNote(value: JsonNode, tag: string, window: PullWindow, context: RecordMaker): Note | undefined {
  if (isUnderWay(value)) return undefined;
  // The time is read first: a point that is unreadable may have had a note.
  const interval = value.at('interval').isMissing ? null : readInterval(value, context);
  const { ms, offset, offsetFrom, day } = interval?.start ?? readSampleTime(value, context);
  const text = value.at('notes').optional((node) => node.words().trim()) ?? '';
  if (text === '' || !isWithin(day, window)) return undefined;
  return { ts: ms, end: interval?.end.ms ?? ms, timezoneOffset: offset, offsetFrom, text, tag };
}

/** Pages of the types with notes: what the user wrote. A note is identified by its start, so notes of one moment are one. */
export function mapNotes(bodies: Bodies, window: PullWindow, context: RecordMaker): MappedRecords {
  const quarantined: Quarantined[] = [];
  const notes = Object.entries(notedTypes).flatMap(([type, tag]) =>
    (bodies[type] ?? []).flatMap((body) =>
      readEachPoint('note', body, quarantined, (point) => readNote(point.at(keyOf(type)), tag, window, context)),
    ),
  );
  const byStart = [...Map.groupBy(notes, ({ ts }) => ts).values()] as [Note, ...Note[]][];
  const samples = byStart.map((group): Sample => {
    const [{ text: _text, tag: _tag, ...times }] = group;
    const text = group
      .map((note) => note.text)
      .toSorted()
      .join('\n');
    return {
      ...times,
      end: Math.max(...group.map(({ end }) => end)),
      value: null,
      extra: { text, tags: [...new Set(group.map(({ tag }) => tag))] },
    };
  });
  return { records: context.samples('note', 'app', samples), quarantined };
}
