import { renderDateTime, type CanonicalRecord, type Quarantined, type Sample } from '@pulsewire/contract';
import type { JsonNode } from '../../kit/values/json-node.ts';
import { roundTo } from '../../kit/values/numbers.ts';
import type { RecordMaker } from '../../kit/records/record-maker.ts';
import type { MappedRecords, PullWindow } from '../../kit/types/connector.ts';
import { readEachPoint, readInterval, type PointTime } from '../read-point.ts';

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

function readEcg(point: JsonNode, { startDate, endDate }: PullWindow, context: RecordMaker): CanonicalRecord[] {
  const ecg = point.at('electrocardiogram');
  // The interval has no length; the duration follows from the samples.
  const { start } = readInterval(ecg, context);
  if (start.day < startDate || start.day > endDate) return [];
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
  return [summary, ...context.samples('electrocardiogram_voltage', 'watch', voltages, 'lead_1')];
}

/** A page of `electrocardiogram`: a summary for each that starts in the window, and its voltages in mV. */
export function mapEcg(body: unknown, window: PullWindow, context: RecordMaker): MappedRecords {
  const quarantined: Quarantined[] = [];
  return { records: readEachPoint('electrocardiogram', body, quarantined, (point) => readEcg(point, window, context)).flat(), quarantined };
}
