import type { CanonicalRecord, OffsetOrigin, Quarantined, Sample } from '@pulsewire/contract';
import type { RecordMaker } from '../kit/records/record-maker.ts';
import { deviceFields, namedDevice, recordedBy, textOrNull } from '../kit/records/recorded-by.ts';
import { msToDay } from '../kit/time/days.ts';
import { parseInstant, parseWallClock } from '../kit/time/time.ts';
import { JsonNode, readEach } from '../kit/values/json-node.ts';
import type { MappedRecords, PullWindow } from '../kit/types/connector.ts';

/** One measurement and when it was taken. */
export interface Measured {
  readonly item: JsonNode;
  readonly ms: number;
  /** Seconds east of UTC; null when unknown. */
  readonly offset: number | null;
  readonly offsetFrom: OffsetOrigin;
  /** The local day. */
  readonly day: string;
}

/** Maps the measurements of one page. */
export type MeasurementMapper = (
  measured: readonly Measured[],
  window: PullWindow,
  context: RecordMaker,
  quarantined: Quarantined[],
) => CanonicalRecord[];

const offsetPattern = /^([+-])(\d{2}):?(\d{2})(?::\d{2})?$/;

/** The stated offset; else the difference between the local and the UTC time. */
function offsetOf(item: JsonNode, ms: number): number | null {
  const stated = item.at('dateTimeUtcOffset').value;
  const match = typeof stated === 'string' ? offsetPattern.exec(stated) : null;
  if (match) return (match[1] === '-' ? -1 : 1) * (Number(match[2]) * 3600 + Number(match[3]) * 60);
  const local = item.at('dateTimeLocal').value;
  const wallMs = typeof local === 'string' ? parseWallClock(local.replace(/(?:Z|[+-]\d{2}:?\d{2})$/, '')) : undefined;
  return wallMs === undefined ? null : Math.round((wallMs - ms) / 60_000) * 60;
}

function readOne(item: JsonNode, context: RecordMaker): Measured {
  const { ms, offset: own } = item.at('dateTime').time(parseInstant);
  const offset = offsetOf(item, ms) ?? (own === 0 ? null : own);
  if (offset !== null) return { item, ms, offset, offsetFrom: 'value', day: msToDay(ms + offset * 1000) };
  const zone = context.zoneOn(msToDay(ms));
  return { item, ms, offset: zone.offsetAt(ms), offsetFrom: zone.originAt(ms), day: zone.dayOf(ms) };
}

/** Maps one of the lists of a response, which may be missing. */
export function mapList(
  body: unknown,
  { key, resource, map }: { readonly key: string; readonly resource: string; readonly map: MeasurementMapper },
  window: PullWindow,
  context: RecordMaker,
): MappedRecords {
  const quarantined: Quarantined[] = [];
  const list = new JsonNode(body).at('result').at(key);
  const measured = list.isMissing ? [] : readEach(resource, list, quarantined, (item) => readOne(item, context));
  return { records: map(measured, window, context, quarantined), quarantined };
}

/** A sample at the measurement's time; none without a value. */
export function sampleAt(
  { ms: ts, offset: timezoneOffset, offsetFrom }: Measured,
  value: number | null,
  more: Partial<Sample> = {},
): Sample[] {
  return value === null ? [] : [{ ts, value, timezoneOffset, offsetFrom, ...more }];
}

/** The records with the device that the measurement names, by its model. */
export function measuredBy(
  { item }: Measured,
  sourceType: string,
  context: RecordMaker,
  records: readonly CanonicalRecord[],
): readonly CanonicalRecord[] {
  const facts = { sourceType, manufacturer: 'Omron', raw: deviceFields(item, ['deviceType']) };
  return recordedBy(namedDevice(context, textOrNull(item.at('deviceType')), facts), records);
}

/** null for zero, which means that the value was not measured. */
export function positive(node: JsonNode): number | null {
  return node.optional((given) => (given.value === '' ? null : given.amount())) || null;
}
