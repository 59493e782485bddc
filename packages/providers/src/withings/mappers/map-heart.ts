import { renderDateTime, type CanonicalRecord, type Quarantined, type Sample, type SeenDevice } from '@pulsewire/contract';
import { isWithin } from '../../kit/records/left-out.ts';
import { JsonNode, readEach, readEachOf, readWhole } from '../../kit/values/json-node.ts';
import type { MappedRecords, PullWindow } from '../../kit/types/connector.ts';
import type { Zone } from '../../kit/time/zone.ts';
import { recordedBy } from '../../kit/records/recorded-by.ts';
import { deviceOfRow, sourceOfModel } from '../devices.ts';
import { instant, rounded, sources, type WithingsContext } from '../withings.ts';

const classifications: Readonly<Record<number, string>> = { 0: 'sinus_rhythm', 1: 'atrial_fibrillation', 2: 'inconclusive' };
/** A signal has one lead. */
export const lead = 'lead_1';
const frequencyDefault = 300;
const microvolts = 1000;

/** A recording in the list, before its signal is read. */
export interface Recording {
  readonly signalId: string;
  readonly startMs: number;
  readonly zone: Zone;
  readonly timeZone: string | null;
  readonly classification: string | null;
  readonly heartRate: number | null;
  /** A watch, a cuff or a scale took it. */
  readonly sourceType: string;
  readonly device: SeenDevice | null;
}

/** The electrocardiograms in a page of `list`; measurements of blood pressure only are skipped. */
export function readRecordings(body: unknown, window: PullWindow, quarantined: Quarantined[], context: WithingsContext): Recording[] {
  return readEach('electrocardiogram', new JsonNode(body).at('body').at('series'), quarantined, (item): Recording | undefined => {
    const startMs = instant(item.at('timestamp'));
    const ecg = item.at('ecg');
    const zoneName = item.at('timezone').value;
    const zone = context.zoneFor(zoneName, startMs);
    if (ecg.isMissing || !isWithin(zone.dayOf(startMs), window)) return undefined;
    const sourceType = sourceOfModel(item.at('model')) ?? sources.watch;
    return {
      signalId: ecg.at('signalid').id(),
      startMs,
      zone,
      timeZone: typeof zoneName === 'string' ? zoneName : null,
      classification: ecg.at('afib').optional((node) => classifications[node.number()] ?? null),
      heartRate: rounded(item.at('heart_rate')),
      sourceType,
      device: deviceOfRow(item, sourceType, context),
    };
  });
}

function readSignal(body: JsonNode, recording: Recording, context: WithingsContext, quarantined: Quarantined[]): CanonicalRecord[] {
  const { startMs, zone, signalId, sourceType } = recording;
  const frequency = body.at('sampling_frequency').optional((node) => node.amount()) || frequencyDefault;
  const offset = { timezoneOffset: zone.offsetAt(startMs), offsetFrom: zone.originAt(startMs) };
  const signal = body.at('signal').items();
  const samples = readEachOf('electrocardiogram_voltage', body.at('signal'), signal, quarantined, (item, index): Sample => {
    return { ts: startMs + Math.round((index * 1000) / frequency), value: item.number() / microvolts, ...offset };
  });
  const summary = context.summary({
    resource: 'electrocardiogram',
    sourceType,
    externalId: signalId,
    calendarDate: zone.dayOf(startMs),
    at: startMs,
    data: {
      session_start: renderDateTime(startMs),
      session_end: renderDateTime(startMs + Math.round((signal.length * 1000) / frequency)),
      voltage_sample_count: signal.length,
      heart_rate_mean: recording.heartRate,
      sampling_frequency_hz: frequency,
      classification: recording.classification,
      inconclusive_cause: null,
      algorithm_version: null,
      time_zone: recording.timeZone,
    },
  });
  return [summary, ...context.samples('electrocardiogram_voltage', sourceType, samples, lead)];
}

/** A recording with its signal: the summary, and the voltages in mV. */
export function mapSignal(body: unknown, recording: Recording, context: WithingsContext): MappedRecords {
  const quarantined: Quarantined[] = [];
  const records = readWhole('electrocardiogram', quarantined, () =>
    readSignal(new JsonNode(body).at('body'), recording, context, quarantined),
  );
  return { records: recordedBy(recording.device, records ?? []), quarantined };
}
