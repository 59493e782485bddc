import type { Quarantined, Sample } from '@pulsewire/contract';
import { isWithin, leaveOut } from '../../kit/records/left-out.ts';
import { msToDay } from '../../kit/time/days.ts';
import { toMillimoles } from '../../kit/values/glucose.ts';
import { readEach, readWhole, JsonNode } from '../../kit/values/json-node.ts';
import { roundTo } from '../../kit/values/numbers.ts';
import type { RecordMaker } from '../../kit/records/record-maker.ts';
import type { MappedRecords, PullWindow } from '../../kit/types/connector.ts';

/** Sensors of this maker show 40 to 500 mg/dL, 2.2 to 27.8 mmol/L: a value has only one possible unit, or none. */
const mmolMax = 28;
const milligramsMin = 36;
const secondsMax = 4_102_444_800;

/** Lists in lists that are opened, at most. */
const depthMax = 4;

/** Each run of readings without a gap is a list of its own; one client expects such lists in lists. */
function readingsIn(list: JsonNode, depth = 0): JsonNode[] {
  return list.itemsOrNone().flatMap((item) => (Array.isArray(item.value) && depth < depthMax ? readingsIn(item, depth + 1) : [item]));
}

/** mmol/L are requested; an account may show mg/dL all the same. */
function readValue(figure: JsonNode): number {
  const value = figure.amount();
  if (value <= mmolMax) return roundTo(value, 4);
  if (value < milligramsMin) throw figure.fail('bad_number');
  return toMillimoles(value);
}

function readReading(reading: JsonNode, window: PullWindow): Sample | undefined {
  const stamp = reading.at('Timestamp');
  const seconds = stamp.amount();
  if (!Number.isSafeInteger(seconds) || seconds > secondsMax) throw stamp.fail('bad_time');
  const ts = seconds * 1000;
  if (!isWithin(msToDay(ts), window)) return undefined;
  const value = reading.at('Value');
  // A mark where the clock was set is no reading.
  if (!value.isBlank || reading.at('IsTimeChange').value !== true) return { ts, value: readValue(value), timezoneOffset: null };
  leaveOut(window, 'no_value');
  return undefined;
}

/**
 * The wearer's scans, either in one list or in nested lists as the readings are. No source confirms which fields a scan has: scans that
 * look like a reading are used, the others are omitted.
 */
function scansOf(day: JsonNode): JsonNode[] {
  const list = day.at('SensorScans');
  const scans = Array.isArray(list.value) ? list.items().flatMap((item) => (Array.isArray(item.value) ? item.items() : [item])) : [];
  return scans.filter((scan) => typeof scan.at('Timestamp').value === 'number' && typeof scan.at('Value').value === 'number');
}

/** One sample per clock time: in the hour that clocks repeat, the later reading replaces the earlier one. */
function byClock(samples: readonly Sample[]): Sample[] {
  return [...new Map(samples.map((sample) => [sample.ts, sample])).values()];
}

/**
 * The daily log: automatic readings of the sensor, and scans, in mmol/L. Floating time: the seconds count the digits
 * of the reader's clock as if they were UTC and are stored as such; there is no offset.
 */
export function mapDailyLog(report: unknown, window: PullWindow, context: RecordMaker): MappedRecords {
  const quarantined: Quarantined[] = [];
  const days = new JsonNode(report).at('Data').at('Days');
  const read = (reading: JsonNode) => readReading(reading, window);
  const readings = readEach('glucose', days, quarantined, (day) => readingsIn(day.at('Glucose'))).flat();
  const samples = readings.flatMap((reading) => readWhole('glucose', quarantined, () => read(reading)) ?? []);
  const scanned = readEach('glucose', days, [], scansOf).flat();
  const scans = scanned.flatMap((scan) => readWhole('glucose', quarantined, () => read(scan)) ?? []);
  return {
    records: [...context.samples('glucose', 'automatic', byClock(samples)), ...context.samples('glucose', 'manual_scan', byClock(scans))],
    quarantined,
  };
}
