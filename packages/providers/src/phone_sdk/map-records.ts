import type { CanonicalRecord, Sample, SampleGroup, SourceRef } from '@pulsewire/contract';
import { summaryId } from '../kit/values/ids.ts';
import { cycleRows, readCycleItem } from './cycle-items.ts';
import { dayNumberAt, isItem, numberOf, rowOf, sourceOf, spanOf, textOf, type LeftOut, type Span } from './read-item.ts';
import { dayKinds, readReading, readingRows } from './readings.ts';
import { as, daySeries, hasLastingId, isOtherMeasure, seriesRows, typeName, type SeriesRow } from './series.ts';
import type {
  FrequentItem,
  PhoneCycleItem,
  PhoneDayZone,
  PhoneItem,
  PhoneItemRef,
  PhoneReading,
  PhoneUser,
  PressureHalf,
} from './types.ts';
import type { Zones } from './zones.ts';

/** What the records of a batch are collected in. */
export interface Collected {
  add(source: SourceRef, resource: string, subKind: string | undefined, sample: Sample): void;
  keep(record: CanonicalRecord): void;
  keepHalf(half: PressureHalf): void;
  keepCycleItem(item: PhoneCycleItem): void;
  keepReading(reading: PhoneReading): void;
  noteZone(zone: PhoneDayZone): void;
  refer(ref: PhoneItemRef): void;
  referOften(item: FrequentItem): void;
  /** `named` is the unit, type or value that is unknown or has no field. */
  leaveOut(reason: LeftOut, named?: string): void;
}

/** What a phone may name; anything else could be a person's data. */
const nameable = /^[\w%°µ·./^*()<>-]{1,80}$/;
/** Most distinct reasons of a batch; of further ones only the reason is counted. */
const reasonsMax = 100;

/** Samples are grouped by series and source, so that each series is written at once. */
export function createCollection() {
  const groups = new Map<string, SampleGroup & { readonly samples: Sample[] }>();
  const others: CanonicalRecord[] = [];
  const pressureHalves: PressureHalf[] = [];
  const cycleItems: PhoneCycleItem[] = [];
  const readings: PhoneReading[] = [];
  const zones = new Map<string, PhoneDayZone>();
  const refs: PhoneItemRef[] = [];
  const frequentItems: FrequentItem[] = [];
  const leftOut: Record<string, number> = {};
  const collected: Collected = {
    add(source, resource, subKind, sample) {
      const key = [resource, subKind, source.type, source.appId].join(' ');
      const group = groups.get(key);
      if (group) group.samples.push(sample);
      else groups.set(key, { kind: 'samples', resource, ...(subKind !== undefined && { subKind }), source, samples: [sample] });
    },
    keep: (record) => void others.push(record),
    keepHalf: (half) => void pressureHalves.push(half),
    keepCycleItem: (item) => void cycleItems.push(item),
    keepReading: (reading) => void readings.push(reading),
    noteZone(zone) {
      const key = `${zone.day} ${zone.sourceType}`;
      const known = zones.get(key);
      if (!known || zone.atMs >= known.atMs) zones.set(key, zone);
    },
    refer: (ref) => void refs.push(ref),
    referOften: (item) => void frequentItems.push(item),
    leaveOut(reason, named) {
      const key = named === undefined ? reason : `${reason} (${nameable.test(named) ? named : '?'})`;
      const counted = leftOut[key] === undefined && Object.keys(leftOut).length >= reasonsMax ? reason : key;
      leftOut[counted] = (leftOut[counted] ?? 0) + 1;
    },
  };
  return {
    collected,
    records: (): CanonicalRecord[] => [...others, ...groups.values()],
    pressureHalves,
    cycleItems,
    readings,
    dayZones: (): PhoneDayZone[] => [...zones.values()],
    refs,
    frequentItems,
    leftOut,
  };
}

const millimetresOfMercury = as('mmHg');

/** Counts a value that cannot be read: one that was sent with a unit of another kind, or no number. */
function leaveOutValue(to: Collected, given: number | 'bad_time' | null, value: number | null, item: PhoneItem): void {
  const unit = textOf(item['unit']);
  if (given === 'bad_time') to.leaveOut('bad_time');
  else if (given !== null && value === null && unit !== null) to.leaveOut('unknown_unit', unit);
  else to.leaveOut('bad_number');
}

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
    const source = sourceOf(user.provider, item);
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

function refer(to: Collected, item: PhoneItem, ref: Omit<PhoneItemRef, 'itemId' | 'summaryId'>): void {
  const itemId = textOf(item['id']);
  if (itemId !== null && itemId.length <= 200) to.refer({ ...ref, itemId, summaryId: null });
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

function noteZone(item: PhoneItem, sourceType: string, ms: number, zones: Zones, to: Collected): void {
  const zone = zones.nameOf(item, ms);
  if (zone !== null) to.noteZone({ sourceType, day: dayNumberAt(ms, zones.offsetOf(item, ms)), zone, atMs: ms });
}

function addSample(item: PhoneItem, name: string, row: SeriesRow, user: PhoneUser, zones: Zones, to: Collected): void {
  const span = spanOf(item);
  if (!span) return to.leaveOut('bad_time');
  const given = numberOf(item['value']) ?? (row.isCategory ? 0 : null);
  const value = given === null ? null : row.convert(given, textOf(item['unit']) ?? '', item);
  if (value === null || !Number.isFinite(value) || (value < 0 && !row.isSigned)) return leaveOutValue(to, given, value, item);
  const source = sourceOf(user.provider, item);
  const subKind = row.subKind?.(item);
  const extra = row.extra?.(item) ?? {};
  to.add(source, row.resource, subKind, {
    ts: span.startMs,
    ...(row.isSpan && { end: span.endMs }),
    value,
    ...zones.offsetFields(item, span.startMs),
    ...(Object.keys(extra).length > 0 && { extra }),
  });
  if (daySeries.has(row.resource)) noteZone(item, source.type, span.startMs, zones, to);
  const place = { resource: row.resource, sourceType: source.type, atMs: span.startMs };
  if (row.isFrequent) referOften(to, item, name, user.provider, place);
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
    if (dayKinds.includes(reading.kind)) noteZone(item, reading.sourceType, reading.atMs, zones, to);
  } else if (!isSample && reading === 'unknown_unit') to.leaveOut(reading, textOf(item['unit']) ?? '');
  else if (!isSample) to.leaveOut(reading);
}

const toMetres = as('m');

/** Height is part of the profile, of which there is one. */
function keepHeight(item: PhoneItem, user: PhoneUser, to: Collected): void {
  const value = numberOf(item['value']);
  const metres = value === null ? null : toMetres(value, textOf(item['unit']) ?? '', item);
  if (metres === null || !(metres > 0.3 && metres < 3)) return leaveOutValue(to, value, metres, item);
  const source: SourceRef = { provider: user.provider, type: 'app', appId: null, deviceId: null };
  to.keep({
    kind: 'summary',
    id: summaryId({ userId: user.userId, provider: user.provider, sourceType: 'app', resource: 'profile', externalId: 'profile' }),
    resource: 'profile',
    source,
    calendarDate: null,
    at: 0,
    data: { height: Math.round(metres * 100), birth_date: null, gender: null, sex: null },
  });
}

/** Maps the records of a batch; unknown types are counted by name, as there are more of them with every release of a phone. */
export function mapRecords(items: readonly unknown[], user: PhoneUser, zones: Zones, to: Collected): void {
  const pressures: { item: PhoneItem; type: string }[] = [];
  const heights: { item: PhoneItem; atMs: number }[] = [];
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
    else if (name === 'Height' || name === 'HEIGHT') heights.push({ item, atMs: spanOf(item)?.startMs ?? 0 });
    else if (row) addSample(item, name, row, user, zones, to);
    else if (!rowOf(cycleRows, name) && !rowOf(readingRows, name)) to.leaveOut('no_series', name);
  }
  addPressures(pressures, user, zones, to);
  const latest = heights.toSorted((a, b) => a.atMs - b.atMs).at(-1);
  if (latest) keepHeight(latest.item, user, to);
}
