import type { CanonicalRecord, Quarantined, Sample } from '@pulsewire/contract';
import { isWithin, leaveOut } from '../../kit/records/left-out.ts';
import { JsonNode, readEach } from '../../kit/values/json-node.ts';
import type { MappedRecords, PullWindow } from '../../kit/types/connector.ts';
import { diary, meter, toMmol, type DexcomContext } from '../dexcom.ts';
import { readTime, type DexcomTime } from '../read-time.ts';

interface Event {
  readonly resource: string;
  readonly sourceType: string;
  readonly subKind: string | undefined;
  readonly ts: number;
  /** null: the entry was deleted. */
  readonly sample: Sample | null;
}

type Reading = Pick<Sample, 'value' | 'extra'> & { readonly minutes?: number };

/** A kind of event: its series and how to read its value. For a deleted event only the series is used. */
interface EventKind extends Pick<Event, 'resource' | 'sourceType'> {
  readonly subKind?: string;
  read(record: JsonNode): Reading;
}

const insulins: Readonly<Record<string, string>> = { fastActing: 'rapid_acting', longActing: 'long_acting' };
/** Kinds of insulin that have their own series. */
export const insulinKinds: readonly string[] = Object.values(insulins);
const intensities: Readonly<Record<string, string>> = { light: 'low', medium: 'medium', heavy: 'high' };
const insulinDelivery = { delivery_mode: null, delivery_form: null, bolus_purpose: null };

/** Our name for a subtype; undefined when it is missing or unknown. */
function subTypeIn(table: Readonly<Record<string, string>>, record: JsonNode): string | undefined {
  const name = record.at('eventSubType').value;
  return typeof name === 'string' && Object.hasOwn(table, name) ? table[name] : undefined;
}

function ofUnit(record: JsonNode, unit: string): number {
  const given = record.at('unit').optional((node) => node.text()) ?? unit;
  if (given !== unit) throw record.at('unit').fail('unknown_shape');
  return record.at('value').amount();
}

function readBloodGlucose(record: JsonNode): Reading {
  const value = toMmol(
    record.at('value').amount(),
    record.at('unit').optional((node) => node.text()),
  );
  if (value === undefined) throw record.at('unit').fail('unknown_shape');
  return { value };
}

function noteOf(textOf: (record: JsonNode) => string, tag = 'unspecified'): EventKind {
  const read = (record: JsonNode): Reading => ({ value: null, extra: { text: textOf(record), tags: [tag] } });
  return { resource: 'note', sourceType: diary, read };
}

/** Insulin has no series without a kind, so an injection of unknown kind is stored as a note. */
function insulinOf(record: JsonNode): EventKind[] {
  const subKind = subTypeIn(insulins, record);
  const units = (entry: JsonNode) => ofUnit(entry, 'units');
  if (subKind === undefined) return [noteOf((entry) => `${units(entry)} units`, 'insulin_injection')];
  const read = (entry: JsonNode): Reading => ({ value: units(entry), extra: insulinDelivery });
  return [{ resource: 'insulin_injection', sourceType: diary, subKind, read }];
}

/** Absent, empty and -1 all mean that the duration is unknown. */
function isUntimed(record: JsonNode): boolean {
  const { value } = record.at('value');
  return value === undefined || value === null || value === '' || Number(value) === -1;
}

/** Exercise of unknown duration has no duration to store, so it is stored as a note. */
function exerciseOf(record: JsonNode): EventKind[] {
  const note = noteOf((entry) => entry.at('eventSubType').optional((node) => node.text()) || 'exercise', 'exercise');
  const read = (entry: JsonNode): Reading => {
    const minutes = ofUnit(entry, 'minutes');
    return { value: minutes, minutes, extra: { intensity: subTypeIn(intensities, entry) ?? null } };
  };
  const timed: EventKind = { resource: 'workout_duration', sourceType: diary, read };
  if (!isUntimed(record)) return [timed];
  // A deleted entry may have lost its value, so it is removed from both series.
  return isDeleted(record) ? [timed, note] : [note];
}

/** By `eventType`: the series that an event belongs to; more than one only for deleted events. */
const kinds: Readonly<Record<string, (record: JsonNode) => readonly EventKind[]>> = {
  carbs: () => [{ resource: 'carbohydrates', sourceType: diary, read: (record) => ({ value: ofUnit(record, 'grams') }) }],
  insulin: insulinOf,
  exercise: exerciseOf,
  bloodGlucose: () => [{ resource: 'glucose', sourceType: meter, read: readBloodGlucose }],
  health: () => [noteOf((record) => record.at('eventSubType').text())],
  notes: () => [noteOf((record) => record.at('value').text())],
  note: () => [noteOf((record) => record.at('value').text())],
};

function isDeleted(record: JsonNode): boolean {
  return record.at('eventStatus').value === 'deleted';
}

function sampleOf(kind: EventKind, record: JsonNode, { ms, offset, offsetFrom }: DexcomTime): Sample {
  const { value, minutes = 0, extra } = kind.read(record);
  // Glucose is a point in time; the other kinds are intervals, mostly of zero length.
  const end = kind.resource === 'glucose' ? {} : { end: ms + Math.round(minutes * 60_000) };
  return { ts: ms, ...end, value, timezoneOffset: offset, offsetFrom, ...(extra && { extra }) };
}

function readEvents(record: JsonNode, window: PullWindow, context: DexcomContext): Event[] {
  const type = record.at('eventType').text();
  const time = readTime(record, context);
  const kindsOf = Object.hasOwn(kinds, type) ? kinds[type] : undefined;
  if (!isWithin(time.day, window)) return [];
  if (kindsOf === undefined) {
    leaveOut(window, 'unknown_kind');
    return [];
  }
  return kindsOf(record).map((kind): Event => {
    const { resource, sourceType, subKind } = kind;
    return { resource, sourceType, subKind, ts: time.ms, sample: isDeleted(record) ? null : sampleOf(kind, record, time) };
  });
}

/** `events`: the user's manual entries. Deleted entries are removed, unless another event of the same kind exists at the same moment. */
export function mapEvents(body: unknown, window: PullWindow, context: DexcomContext): MappedRecords {
  const quarantined: Quarantined[] = [];
  const events = readEach('note', new JsonNode(body).at('records'), quarantined, (record) => readEvents(record, window, context)).flat();
  const series = Map.groupBy(events, ({ resource, sourceType, subKind = '' }) => `${resource} ${sourceType} ${subKind}`);
  const records = [...series.values()].flatMap((group): CanonicalRecord[] => {
    const [first] = group;
    if (!first) return [];
    const { resource, sourceType, subKind } = first;
    const standing = group.flatMap(({ sample }) => sample ?? []);
    const times = new Set(standing.map(({ ts }) => ts));
    const gone = group.filter(({ sample, ts }) => sample === null && !times.has(ts)).map(({ ts }) => ts);
    const removals = gone.length === 0 ? [] : [context.sampleRemoval(resource, sourceType, gone, subKind)];
    return [...context.samples(resource, sourceType, standing, subKind), ...removals];
  });
  return { records, quarantined };
}
