import { renderDateTime, type CanonicalRecord, type Quarantined } from '@pulsewire/contract';
import { isWithin } from '../kit/records/left-out.ts';
import { deviceFields, deviceOf, recordedBy, textOrNull } from '../kit/records/recorded-by.ts';
import type { RecordMaker } from '../kit/records/record-maker.ts';
import { msToDay } from '../kit/time/days.ts';
import { parseInstant } from '../kit/time/time.ts';
import { JsonNode, readEach } from '../kit/values/json-node.ts';
import type { MappedRecords, PullWindow } from '../kit/types/connector.ts';
import { app, recorder } from './kardia.ts';
import { countSamples, readLeads, type Moment } from './read-leads.ts';

type Determination = readonly [classification: string | null, cause: string | null];

const determinations: ReadonlyMap<unknown, Determination> = new Map<unknown, Determination>([
  ['normal', ['sinus_rhythm', null]],
  ['afib', ['atrial_fibrillation', null]],
  ['unclassified', ['inconclusive', null]],
  ['bradycardia', ['inconclusive', 'low_heart_rate']],
  ['tachycardia', ['inconclusive', 'high_heart_rate']],
  ['unreadable', ['inconclusive', 'poor_reading']],
  ['too_short', ['inconclusive', 'poor_reading']],
  ['too_long', ['inconclusive', 'poor_reading']],
]);

/** The instant and local day of a recording. */
function startOf(recording: JsonNode): Moment & { readonly day: string } {
  const { ms, offset } = recording.at('recordedAt').time(parseInstant);
  return { ms, offset, day: msToDay(ms + offset * 1000) };
}

/** The signal: the filtered one where there is one; older recordings hold a single one directly. */
function signalOf(recording: JsonNode): JsonNode {
  const all = recording.at('data');
  return [all.at('enhanced'), all.at('raw'), all].find((node) => !node.isMissing) ?? all;
}

/** Whether a list has a recording without its determination, its signal or the resolution of the signal. */
function isIncomplete(recording: JsonNode): boolean {
  if (recording.at('algorithmDetermination').isMissing) return true;
  if (!recording.at('data12L').isMissing) return false;
  return recording.at('data').isMissing || signalOf(recording).at('amplitudeResolution').isMissing;
}

/** The ids of recordings of the window that a page does not list completely; the response for the recording itself may be complete. */
export function idsOfIncomplete(body: unknown, { startDate, endDate }: PullWindow): readonly string[] {
  return readEach('electrocardiogram', new JsonNode(body).at('data'), [], (recording): string | undefined => {
    const { day } = startOf(recording);
    return day < startDate || day > endDate || !isIncomplete(recording) ? undefined : recording.at('id').id();
  });
}

/** The recorder, by its serial number, which card-sized ones do not report. */
function recorderOf(recording: JsonNode, context: RecordMaker) {
  const info = recording.at('deviceInfo');
  return deviceOf(context, {
    externalId: textOrNull(info.at('serialNumber')),
    sourceType: recorder,
    manufacturer: 'AliveCor',
    model: textOrNull(info.at('hardwareType')),
    version: textOrNull(info.at('firmwareRevision')),
    raw: deviceFields(info, ['hardwareType', 'hardwareRevision', 'firmwareRevision', 'serialNumber']),
  });
}

/** What the patient wrote about a recording, and the tags that the patient chose. */
function noteOf(recording: JsonNode, { ms, offset }: Moment, context: RecordMaker): readonly CanonicalRecord[] {
  const note = recording.at('note').optional((node) => node.words().trim()) ?? '';
  const tags = recording
    .at('tags')
    .itemsOrNone()
    .map((tag) => tag.words());
  const text = note || tags.join(', ');
  const extra = { text, tags: ['unspecified'] };
  return text === '' ? [] : context.samples('note', app, [{ ts: ms, end: ms, value: null, timezoneOffset: offset, extra }]);
}

function readRecording(
  recording: JsonNode,
  window: PullWindow,
  context: RecordMaker,
  quarantined: Quarantined[],
): readonly CanonicalRecord[] {
  const { day, ...start } = startOf(recording);
  if (!isWithin(day, window)) return [];
  const data = signalOf(recording);
  const voltages = readLeads(data, start, quarantined);
  const rate = recording.at('heartRate').optional((node) => Math.round(node.amount())) ?? 0;
  const [classification, cause] = determinations.get(recording.at('algorithmDetermination').value) ?? [null, null];
  const durationMs = recording.at('duration').optional((node) => node.amount()) ?? 0;
  const summary = context.summary({
    resource: 'electrocardiogram',
    sourceType: recorder,
    externalId: recording.at('id').id(),
    calendarDate: day,
    at: start.ms,
    data: {
      session_start: renderDateTime(start.ms),
      session_end: renderDateTime(start.ms + durationMs),
      voltage_sample_count: countSamples(data),
      heart_rate_mean: rate === 0 ? null : rate,
      sampling_frequency_hz: data.at('frequency').optional((node) => node.amount()),
      classification,
      inconclusive_cause: cause,
      source_device_model: recording
        .at('deviceInfo')
        .at('hardwareType')
        .optional((node) => node.words()),
    },
  });
  const heartrate = rate === 0 ? [] : context.samples('heartrate', recorder, [{ ts: start.ms, value: rate, timezoneOffset: start.offset }]);
  const signals = [...voltages].flatMap(([lead, samples]) => context.samples('electrocardiogram_voltage', recorder, samples, lead));
  return [
    ...recordedBy<CanonicalRecord>(recorderOf(recording, context), [summary, ...heartrate, ...signals]),
    ...noteOf(recording, start, context),
  ];
}

/** A page of recordings: for each of the window a summary, its heart rate, and its voltages by lead. */
export function mapRecordings(body: unknown, window: PullWindow, context: RecordMaker): MappedRecords {
  const quarantined: Quarantined[] = [];
  const list = new JsonNode(body).at('data');
  return {
    records: readEach('electrocardiogram', list, quarantined, (item) => readRecording(item, window, context, quarantined)).flat(),
    quarantined,
  };
}
