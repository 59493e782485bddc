import { renderDateTime, type CanonicalRecord, type Quarantined, type Sample } from '@pulsewire/contract';
import { isWithin } from '../../kit/records/left-out.ts';
import { utcMidnight } from '../../kit/time/days.ts';
import { parseClock } from '../../kit/time/time.ts';
import type { LocalInstant } from '../../kit/time/zone.ts';
import type { PullWindow } from '../../kit/types/connector.ts';
import { JsonNode, readEachOf } from '../../kit/values/json-node.ts';
import { roundTo } from '../../kit/values/numbers.ts';
import { readClocked } from '../../kit/values/read-clocked.ts';
import { allMeasured } from '../context/all-of.ts';
import { fitbitSummaryId, groupOf, sourceOf, type MapContext, type Mapped } from '../context/map-context.ts';
import { clockAt, readEntries } from '../context/read-entries.ts';

/** The readings of `/1/user/-/activities/heart/date/{d}/1d/{1sec|1min}.json`; none for a response without readings. */
export function mapHeartrateDay(body: unknown, day: string, context: MapContext): Mapped {
  const quarantined: Quarantined[] = [];
  const dataset = new JsonNode(body).at('activities-heart-intraday').at('dataset');
  if (dataset.isMissing) return { records: [], quarantined };
  const zone = context.zoneOn(day);
  const midnight = utcMidnight(day);
  const samples = readClocked(
    {
      resource: 'heartrate',
      list: dataset,
      zone,
      startMs: zone.startOfDay(day).ms,
      wallOf: (item) => midnight + item.at('time').time(parseClock),
      read(item, at): Sample {
        const value = item.at('value').amount();
        // A measured heart rate is never 0.
        if (value === 0) throw item.at('value').fail('bad_number');
        if (at.kind === 'gap') throw item.at('time').fail('bad_time');
        return { ts: at.ms, value, timezoneOffset: at.offset };
      },
    },
    quarantined,
  );
  const endMs = (samples.at(-1)?.ts ?? Number.NEGATIVE_INFINITY) + 1;
  const allOf = allMeasured('heartrate', { startDate: day, endDate: day }, context, endMs);
  return { records: groupOf('heartrate', 'watch', samples), quarantined, allOf };
}

const voltagesMax = 100_000;

interface Classified {
  readonly classification: string | null;
  readonly inconclusive_cause: string | null;
}

/** Fitbit's classifications: `Normal Sinus Rhythm`, `Atrial Fibrillation`, `Inconclusive: High heart rate`, … */
function classifyRhythm(text: string): Classified {
  const words = text.toLowerCase();
  if (words.includes('sinus')) return { classification: 'sinus_rhythm', inconclusive_cause: null };
  if (words.includes('fibrillation')) return { classification: 'atrial_fibrillation', inconclusive_cause: null };
  if (!words.includes('inconclusive')) return { classification: null, inconclusive_cause: null };
  const cause = words.includes('high') ? 'high_heart_rate' : words.includes('low') ? 'low_heart_rate' : 'poor_reading';
  return { classification: 'inconclusive', inconclusive_cause: cause };
}

function readVoltages(reading: JsonNode, startMs: number, hertz: number, offset: number | null, quarantined: Quarantined[]): Sample[] {
  const scale = reading.at('scalingFactor').amount();
  if (scale === 0 || hertz === 0) throw reading.at('scalingFactor').fail('bad_number');
  const raw = reading.at('waveformSamples').items();
  if (raw.length > voltagesMax) throw reading.at('waveformSamples').fail('unknown_shape');
  // Two samples in the same millisecond would be merged; no Fitbit device samples that fast.
  return readEachOf('electrocardiogram_voltage', reading.at('waveformSamples'), raw, quarantined, (node, index) => ({
    ts: startMs + Math.round((index * 1000) / hertz),
    value: roundTo(node.number() / scale, 5),
    timezoneOffset: offset,
  }));
}

function readEcg(reading: JsonNode, day: string, start: LocalInstant, context: MapContext, quarantined: Quarantined[]): CanonicalRecord[] {
  const hertz = reading.at('samplingFrequencyHz').amount();
  const voltages = readVoltages(reading, start.ms, hertz, start.offset, quarantined);
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
      ...classifyRhythm(reading.at('resultClassification').optional((node) => node.text()) ?? ''),
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
    isWithin(day, window) ? readEcg(reading, day, start, context, quarantined) : undefined;
  const readings = readEntries({ resource: 'electrocardiogram', list, clockOf, read }, context, quarantined);
  return { records: readings.flat(), quarantined };
}

/**
 * A page of `/1/user/-/irn/alerts/list.json`: alerts of an irregular rhythm, at the time for which it was detected. Fitbit lists only
 * alerts that the user has viewed. The contract has no series for the beats behind an alert.
 */
export function mapRhythmAlerts(body: unknown, window: PullWindow, context: MapContext): Mapped {
  const quarantined: Quarantined[] = [];
  const list = new JsonNode(body).at('alerts');
  const clockOf = (alert: JsonNode) => clockAt(alert.at('detectedTime'));
  const read = (_alert: JsonNode, day: string, { ms, offset }: LocalInstant): Sample | undefined =>
    isWithin(day, window) ? { ts: ms, end: ms, value: 1, timezoneOffset: offset } : undefined;
  const samples = readEntries({ resource: 'heart_rate_alert', list, clockOf, read }, context, quarantined);
  if (samples.length === 0) return { records: [], quarantined };
  const group = { kind: 'samples', resource: 'heart_rate_alert', subKind: 'irregular_rhythm', source: sourceOf('watch'), samples } as const;
  return { records: [group], quarantined };
}
