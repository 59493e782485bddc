import type { SourceRef } from '@pulsewire/contract';
import { leaveOutValue, type Collected } from './collected.ts';
import { cycleRows, readCycleItem } from './cycle-items.ts';
import { keepProfile, profileTypes } from './profile.ts';
import { dayNumberAt, idOf, isItem, numberOf, rowOf, spanOf, textOf, type Span } from './read-item.ts';
import { dayKinds, readReading, readingRows } from './readings.ts';
import { as, daySeries, hasLastingId, isOtherMeasure, seriesRows, typeName, type SeriesRow } from './series.ts';
import { sourceOf } from './source.ts';
import { keepPart, partRows } from './workout-parts.ts';
import type { FrequentItem, PhoneItem, PhoneItemRef, PhoneUser } from './types.ts';
import type { Zones } from './zones.ts';

const millimetresOfMercury = as('mmHg');

type Pressure = { readonly item: PhoneItem; readonly source: SourceRef; readonly span: Span; systolic?: number; diastolic?: number };

/** Pairs both pressures of a reading: by the parent's id where there is one, else by source and time. */
function addPressures(
  items: readonly { readonly item: PhoneItem; readonly type: string }[],
  user: PhoneUser,
  zones: Zones,
  to: Collected,
): void {
  const pairs = new Map<string, Pressure>();
  for (const { item, type } of items) {
    const [span, given] = [spanOf(item), numberOf(item['value'])];
    const value = given === null ? null : millimetresOfMercury(given, textOf(item['unit']) ?? '', item);
    if (!span || value === null || value < 0) {
      leaveOutValue(to, span ? given : 'bad_time', value, item);
      continue;
    }
    const source = sourceOf(user, item);
    const key = textOf(item['parentId']) ?? `${source.type} ${source.appId} ${span.startMs}`;
    const pair = pairs.get(key) ?? { item, source, span };
    pairs.set(key, pair);
    if (/systolic/i.test(type)) pair.systolic = value;
    else pair.diastolic = value;
    refer(to, item, { resource: 'blood_pressure', subKind: '', sourceType: source.type, atMs: span.startMs });
  }
  for (const { item, source, span, systolic, diastolic } of pairs.values()) {
    const offsets = zones.offsetFields(item, span.startMs);
    if (systolic === undefined || diastolic === undefined)
      to.keepHalf({ source, atMs: span.startMs, systolic: systolic ?? null, diastolic: diastolic ?? null, offsets });
    else to.add(source, 'blood_pressure', undefined, { ts: span.startMs, value: systolic, value2: diastolic, ...offsets });
  }
}

function refer(to: Collected, item: PhoneItem, ref: Omit<PhoneItemRef, 'itemId' | 'summaryId' | 'parentId'>): void {
  const itemId = idOf(item['id']);
  if (itemId !== null) to.refer({ ...ref, itemId, summaryId: null, parentId: idOf(item['parentId']) });
}

/** The ids of frequent items are kept in another form than those of others. */
function referOften(
  to: Collected,
  item: PhoneItem,
  name: string,
  provider: string,
  place: Omit<FrequentItem, 'itemId' | 'parentId'>,
): void {
  const itemId = textOf(item['id']);
  if (itemId !== null && hasLastingId(provider, name)) to.referOften({ ...place, itemId, parentId: textOf(item['parentId']) });
}

function recordZone(item: PhoneItem, sourceType: string, ms: number, zones: Zones, to: Collected): void {
  const zone = zones.nameOf(item, ms);
  if (zone !== null) to.recordZone({ sourceType, day: dayNumberAt(ms, zones.offsetOf(item, ms)), zone, atMs: ms });
}

function addSample(item: PhoneItem, name: string, row: SeriesRow, user: PhoneUser, zones: Zones, to: Collected): void {
  const span = spanOf(item);
  if (!span) return to.leaveOut('bad_time');
  const given = numberOf(item['value']) ?? (row.isCategory ? 0 : null);
  const value = given === null ? null : row.convert(given, textOf(item['unit']) ?? '', item);
  if (value === null || !Number.isFinite(value) || (value < 0 && !row.isSigned)) return leaveOutValue(to, given, value, item);
  const source = sourceOf(user, item);
  const subKind = row.subKind?.(item);
  const parts = row.part === undefined ? {} : { parts: { [row.part]: [value, row.isSpan ? span.endMs : null] } };
  const extra = { ...row.extra?.(item), ...parts };
  to.add(source, row.resource, subKind, {
    ts: span.startMs,
    ...(row.isSpan && { end: span.endMs }),
    value,
    ...zones.offsetFields(item, span.startMs),
    ...(Object.keys(extra).length > 0 && { extra }),
  });
  if (daySeries.has(row.resource)) recordZone(item, source.type, span.startMs, zones, to);
  const place = { resource: row.resource, sourceType: source.type, atMs: span.startMs };
  if (row.isFrequent) referOften(to, item, name, user.provider, { ...place, part: row.part ?? '' });
  else refer(to, item, { ...place, subKind: subKind ?? '' });
}

/** A basal temperature is an entry and a sample: only the sample reports what is wrong with it. */
function keepCycleEntry(name: string, item: PhoneItem, isSample: boolean, zones: Zones, to: Collected): void {
  const entry = readCycleItem(name, item, (ms) => zones.offsetOf(item, ms));
  if (entry !== null && entry !== 'bad_time') to.keepCycleItem(entry);
  else if (!isSample) to.leaveOut(entry ?? 'bad_number');
}

/** Carbohydrates are a reading and a sample: only the sample reports what is wrong with it. */
function keepReading(name: string, item: PhoneItem, isSample: boolean, user: PhoneUser, zones: Zones, to: Collected): void {
  const reading = readReading(name, item, user, zones);
  if (typeof reading === 'object') {
    to.keepReading(reading);
    if (dayKinds.includes(reading.kind)) recordZone(item, reading.sourceType, reading.atMs, zones, to);
  } else if (!isSample && reading === 'unknown_unit') to.leaveOut(reading, textOf(item['unit']) ?? '');
  else if (!isSample) to.leaveOut(reading);
}

/** Maps the records of a batch; unknown types are counted by name, as there are more of them with every release of a phone. */
export function mapRecords(items: readonly unknown[], user: PhoneUser, zones: Zones, to: Collected): void {
  const pressures: { item: PhoneItem; type: string }[] = [];
  const person: PhoneItem[] = [];
  for (const item of items) {
    const type = isItem(item) ? textOf(item['type']) : null;
    if (!isItem(item) || type === null) {
      to.leaveOut('unknown_shape');
      continue;
    }
    zones.note(item);
    const name = typeName(type);
    const row = rowOf(seriesRows, name);
    if (rowOf(cycleRows, name)) keepCycleEntry(name, item, row !== undefined, zones, to);
    if (rowOf(readingRows, name)) keepReading(name, item, row !== undefined, user, zones, to);
    if (isOtherMeasure(user, name, item)) to.leaveOut('other_measure');
    else if (/^(?:BloodPressure|BLOOD_PRESSURE_)(?:Sys|Dia|SYS|DIA)/.test(name)) pressures.push({ item, type: name });
    else if (profileTypes.has(name)) person.push(item);
    else if (row) addSample(item, name, row, user, zones, to);
    else if (rowOf(partRows, name) && user.provider === 'health_connect') keepPart(name, item, user, to);
    else if (!rowOf(cycleRows, name) && !rowOf(readingRows, name)) to.leaveOut('no_series', name);
  }
  addPressures(pressures, user, zones, to);
  keepProfile(person, user, to);
}
