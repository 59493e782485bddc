import { renderDateTime, type CanonicalRecord, type Quarantined, type Sample } from '@pulsewire/contract';
import { JsonNode } from '../../kit/values/json-node.ts';
import { roundTo } from '../../kit/values/numbers.ts';
import type { PullWindow } from '../../kit/types/connector.ts';
import type { LocalInstant } from '../../kit/time/zone.ts';
import { fitbitSummaryId, sourceOf, type MapContext, type Mapped } from '../context/map-context.ts';
import { clockAt, readEntries } from '../context/read-entries.ts';

const samplesMax = 100_000;

interface Classified {
  readonly classification: string | null;
  readonly inconclusive_cause: string | null;
}

/** Fitbit's classifications: `Normal Sinus Rhythm`, `Atrial Fibrillation`, `Inconclusive: High heart rate`, … */
function classify(text: string): Classified {
  const words = text.toLowerCase();
  if (words.includes('sinus')) return { classification: 'sinus_rhythm', inconclusive_cause: null };
  if (words.includes('fibrillation')) return { classification: 'atrial_fibrillation', inconclusive_cause: null };
  if (!words.includes('inconclusive')) return { classification: null, inconclusive_cause: null };
  const cause = words.includes('high') ? 'high_heart_rate' : words.includes('low') ? 'low_heart_rate' : 'poor_reading';
  return { classification: 'inconclusive', inconclusive_cause: cause };
}

function readVoltages(reading: JsonNode, startMs: number, hertz: number, offset: number | null): Sample[] {
  const scale = reading.at('scalingFactor').amount();
  if (scale === 0 || hertz === 0) throw reading.at('scalingFactor').fail('bad_number');
  const raw = reading.at('waveformSamples').items();
  if (raw.length > samplesMax) throw reading.at('waveformSamples').fail('unknown_shape');
  // Two samples in the same millisecond would be merged; no Fitbit device samples that fast.
  return raw.map((node, index) => ({
    ts: startMs + Math.round((index * 1000) / hertz),
    value: roundTo(node.number() / scale, 5),
    timezoneOffset: offset,
  }));
}

function readReading(reading: JsonNode, day: string, start: LocalInstant, context: MapContext): CanonicalRecord[] {
  const hertz = reading.at('samplingFrequencyHz').amount();
  const voltages = readVoltages(reading, start.ms, hertz, start.offset);
  const source = sourceOf('watch');
  const summary: CanonicalRecord = {
    kind: 'summary',
    // Fitbit's readings have no id: their start identifies them.
    id: fitbitSummaryId(context, source, 'electrocardiogram', reading.at('startTime').text()),
    resource: 'electrocardiogram',
    source,
    calendarDate: day,
    at: start.ms,
    data: {
      session_start: renderDateTime(start.ms),
      session_end: renderDateTime(start.ms + Math.round((voltages.length * 1000) / hertz)),
      voltage_sample_count: voltages.length,
      heart_rate_mean: reading.at('averageHeartRate').optional((node) => Math.round(node.amount())),
      sampling_frequency_hz: hertz,
      ...classify(reading.at('resultClassification').optional((node) => node.text()) ?? ''),
      algorithm_version: reading.at('featureVersion').optional((node) => node.text()),
      time_zone: context.zoneOn(day).name,
      source_device_model: reading.at('deviceName').optional((node) => node.text()),
    },
  };
  if (voltages.length === 0) return [summary];
  return [summary, { kind: 'samples', resource: 'electrocardiogram_voltage', subKind: 'lead_1', source, samples: voltages }];
}

/** Maps a page of `/1/user/-/ecg/list.json`: for each reading in the window a summary and its voltages in mV. */
export function mapEcg(body: unknown, window: PullWindow, context: MapContext): Mapped {
  const quarantined: Quarantined[] = [];
  const list = new JsonNode(body).at('ecgReadings');
  const clockOf = (reading: JsonNode) => clockAt(reading.at('startTime'));
  const read = (reading: JsonNode, day: string, start: LocalInstant) =>
    day < window.startDate || day > window.endDate ? undefined : readReading(reading, day, start, context);
  const readings = readEntries({ resource: 'electrocardiogram', list, clockOf, read }, context, quarantined);
  return { records: readings.flat(), quarantined };
}
