import { renderDateTime, type CanonicalRecord, type Quarantined, type Sample } from '@pulsewire/contract';
import { mapEach } from '../../kit/records/map-records.ts';
import { msToDay } from '../../kit/time/days.ts';
import { readEach, type JsonNode } from '../../kit/values/json-node.ts';
import { roundTo } from '../../kit/values/numbers.ts';
import type { RecordMaker } from '../../kit/records/record-maker.ts';
import { recordedBy } from '../../kit/records/recorded-by.ts';
import type { MappedRecords } from '../../kit/types/connector.ts';
import { listIn, polarDevice, positive, readTestTime, watch } from '../polar.ts';

const samplesMax = 100_000;
/** Measured between the wrist and the other hand, which other watches call lead I. */
export const lead = 'lead_1';

function readVoltages(item: JsonNode, startMs: number, offset: number | null, quarantined: Quarantined[]): Sample[] {
  const list = item.at('samples');
  if (list.items().length > samplesMax) throw list.fail('unknown_shape');
  const samples = readEach('electrocardiogram_voltage', list, quarantined, (sample): Sample => {
    const ts = startMs + Math.round(sample.at('recording_time_delta_ms').amount());
    return { ts, value: roundTo(sample.at('amplitude_mv').number(), 5), timezoneOffset: offset };
  });
  return samples.toSorted((a, b) => a.ts - b.ts);
}

/** Polar does not report the sampling rate: it is averaged over the whole test, to a tenth. Null for fewer than two samples. */
function frequencyOf(samples: readonly Sample[]): number | null {
  const spanMs = (samples.at(-1)?.ts ?? 0) - (samples[0]?.ts ?? 0);
  return spanMs > 0 ? roundTo(((samples.length - 1) * 1000) / spanMs, 1) : null;
}

function readTest(item: JsonNode, quarantined: Quarantined[], context: RecordMaker): CanonicalRecord[] {
  const { ms: startMs, offset } = readTestTime(item);
  const voltages = readVoltages(item, startMs, offset, quarantined);
  const heartRate = positive(item.at('average_heart_rate_bpm'));
  const summary = context.summary({
    resource: 'electrocardiogram',
    sourceType: watch,
    // A test has no id, so its time identifies it.
    externalId: String(startMs / 1000),
    calendarDate: msToDay(startMs + (offset ?? 0) * 1000),
    at: startMs,
    data: {
      session_start: renderDateTime(startMs),
      session_end: renderDateTime(voltages.at(-1)?.ts ?? startMs),
      voltage_sample_count: voltages.length,
      heart_rate_mean: heartRate === null ? null : Math.round(heartRate),
      sampling_frequency_hz: frequencyOf(voltages),
      // The watch reports no verdict.
      classification: null,
      inconclusive_cause: null,
      algorithm_version: null,
      time_zone: null,
    },
  });
  return [
    ...recordedBy<CanonicalRecord>(polarDevice(item, context, null), [
      summary,
      ...context.samples('electrocardiogram_voltage', watch, voltages, lead),
    ]),
  ];
}

/** `ecg`: wrist tests, each with a summary and its voltages in mV. */
export function mapEcg(body: unknown, context: RecordMaker): MappedRecords {
  return mapEach('electrocardiogram', listIn(body), (item, quarantined) => readTest(item, quarantined, context));
}
