import type { Quarantined, Sample } from '@pulsewire/contract';
import { isWithin, leaveOut } from '../kit/records/left-out.ts';
import { msToDay } from '../kit/time/days.ts';
import { toMillimoles } from '../kit/values/glucose.ts';
import { JsonNode, readEach } from '../kit/values/json-node.ts';
import type { RecordMaker } from '../kit/records/record-maker.ts';
import type { MappedRecords, PullWindow } from '../kit/types/connector.ts';
import { sensor } from './dexcom.ts';

const datePattern = /^\/?Date\((-?\d{1,15})(?:([+-])(\d{2})(\d{2}))?\)\/?$/;

/**
 * Parses `Date(1745081013817-0400)`, in older responses with slashes around it: the instant in ms, and the offset in seconds if present.
 */
export function parseShareDate(text: string): { readonly ms: number; readonly offset: number | null } | undefined {
  const match = datePattern.exec(text);
  if (match === null) return undefined;
  const [, ms, sign, hours, minutes] = match;
  if (sign === undefined) return { ms: Number(ms), offset: null };
  const seconds = Number(hours) * 3600 + Number(minutes) * 60;
  if (seconds > 18 * 3600) return undefined;
  return { ms: Number(ms), offset: sign === '-' && seconds > 0 ? -seconds : seconds };
}

/** When a reading was taken, and the offset of the display's clock. */
export function readTime(reading: JsonNode): { readonly ms: number; readonly offset: number | null } {
  const wall = reading.at('WT').isMissing ? reading.at('ST') : reading.at('WT');
  const display = reading.at('DT').optional((node) => node.time(parseShareDate));
  const { ms } = wall.isMissing && display ? display : wall.time(parseShareDate);
  return { ms, offset: display?.offset ?? null };
}

/** mg/dL. 39 means "low"; smaller values are error codes of a receiver, not readings. */
const lowestReading = 39;

function readReading(reading: JsonNode, window: PullWindow): Sample | undefined {
  const { ms, offset } = readTime(reading);
  const milligrams = reading.at('Value').amount();
  if (!isWithin(msToDay(ms + (offset ?? 0) * 1000), window)) return undefined;
  if (milligrams >= lowestReading) return { ts: ms, value: toMillimoles(milligrams), timezoneOffset: offset };
  leaveOut(window, 'no_value');
  return undefined;
}

/** The latest readings (mg/dL) within the window. The contract has no field for the direction (`Trend`). */
export function mapGlucose(body: unknown, window: PullWindow, context: RecordMaker): MappedRecords {
  const quarantined: Quarantined[] = [];
  const samples = readEach('glucose', new JsonNode(body), quarantined, (reading) => readReading(reading, window));
  return { records: context.samples('glucose', sensor, samples), quarantined };
}
