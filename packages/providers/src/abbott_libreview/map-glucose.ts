import type { Quarantined, Sample } from '@pulsewire/contract';
import { isWithin } from '../kit/records/left-out.ts';
import { msToDay } from '../kit/time/days.ts';
import { toMillimoles } from '../kit/values/glucose.ts';
import { JsonNode, readEach, readWhole } from '../kit/values/json-node.ts';
import { roundTo } from '../kit/values/numbers.ts';
import type { RecordMaker } from '../kit/records/record-maker.ts';
import type { MappedRecords, PullWindow } from '../kit/types/connector.ts';
import { parseLibreTime } from './libre-time.ts';

const mmolUnits = 0;

function readValue(measurement: JsonNode): number {
  const milligrams = measurement.at('ValueInMgPerDl');
  if (!milligrams.isMissing) return toMillimoles(milligrams.amount());
  const value = measurement.at('Value').amount();
  return measurement.at('GlucoseUnits').value === mmolUnits ? roundTo(value, 4) : toMillimoles(value);
}

interface Measured {
  readonly sample: Sample;
  /** By the sensor's clock, which is never set back. */
  readonly order: number;
}

/**
 * Floating time: the digits of the phone's clock are stored as if they were UTC, without an offset. So a reading is the same sample
 * whatever zone the phone was in when the response was produced.
 */
function readMeasurement(measurement: JsonNode, window: PullWindow): Measured | undefined {
  // An alarm in the logbook has only a time and is not a reading.
  if (!measurement.at('alarmType').isMissing && measurement.at('ValueInMgPerDl').isMissing && measurement.at('Value').isMissing)
    return undefined;
  const ts = measurement.at('Timestamp').time(parseLibreTime);
  const value = readValue(measurement);
  const day = msToDay(ts);
  const factory = measurement.at('FactoryTimestamp').value;
  const order = (typeof factory === 'string' ? parseLibreTime(factory) : undefined) ?? ts;
  return isWithin(day, window) ? { sample: { ts, value, timezoneOffset: null }, order } : undefined;
}

/** One sample per clock time, whatever the order of the list: in the hour that clocks repeat, the later reading is kept. */
function inOrder(measured: readonly Measured[]): Sample[] {
  const sorted = measured.toSorted((a, b) => a.order - b.order);
  return [...new Map(sorted.map(({ sample }) => [sample.ts, sample])).values()];
}

/** `graph`: the sensor's automatic readings of the last twelve hours, and its last reading. */
export function mapGraph(body: unknown, window: PullWindow, context: RecordMaker): MappedRecords {
  const quarantined: Quarantined[] = [];
  const data = new JsonNode(body).at('data');
  const listed = readEach('glucose', data.at('graphData'), quarantined, (item) => readMeasurement(item, window));
  const current = data.at('connection').at('glucoseMeasurement');
  const last = current.isMissing ? undefined : readWhole('glucose', quarantined, () => readMeasurement(current, window));
  // For the same moment the reading of the list takes precedence over the last reading.
  const isNew = last !== undefined && listed.every(({ order }) => order !== last.order);
  return { records: context.samples('glucose', 'automatic', inOrder(isNew ? [...listed, last] : listed)), quarantined };
}

/** `logbook`: two weeks of readings at events, such as scans and alarms. The response does not distinguish the events. */
export function mapLogbook(body: unknown, window: PullWindow, context: RecordMaker): MappedRecords {
  const quarantined: Quarantined[] = [];
  const measured = readEach('glucose', new JsonNode(body).at('data'), quarantined, (item) => readMeasurement(item, window));
  return { records: context.samples('glucose', 'unknown', inOrder(measured)), quarantined };
}
