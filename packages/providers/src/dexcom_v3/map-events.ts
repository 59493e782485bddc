import type { CanonicalRecord, Quarantined, Sample } from '@pulsewire/contract';
import { JsonNode, readEach } from '../kit/json-node.ts';
import type { MappedRecords, PullWindow } from '../kit/types.ts';
import { diary, meter, toMmol, type DexcomContext } from './dexcom.ts';
import { readTime, type DexcomTime } from './read-time.ts';

interface Event {
  readonly resource: string;
  readonly sourceType: string;
  readonly subKind: string | undefined;
  readonly ts: number;
  /** null: the entry was deleted. */
  readonly sample: Sample | null;
}

type Reading = Pick<Sample, 'value' | 'extra'> & { readonly minutes?: number };

/** A kind of event: which series it belongs to, and what it says; of a deleted one only the first is asked. */
interface EventKind extends Pick<Event, 'resource' | 'sourceType'> {
  subKindOf?(record: JsonNode): string;
  read(record: JsonNode): Reading;
}

const insulins: Readonly<Record<string, string>> = { fastActing: 'rapid_acting', longActing: 'long_acting' };
const intensities: Readonly<Record<string, string>> = { light: 'low', medium: 'medium', heavy: 'high' };
const insulinDelivery = { delivery_mode: null, delivery_form: null, bolus_purpose: null };

function known(table: Readonly<Record<string, string>>, node: JsonNode): string {
  const name = node.text();
  const found = Object.hasOwn(table, name) ? table[name] : undefined;
  if (found === undefined) throw node.fail('unknown_shape');
  return found;
}

function ofUnit(record: JsonNode, unit: string): number {
  const given = record.at('unit').optional((node) => node.text()) ?? unit;
  if (given !== unit) throw record.at('unit').fail('unknown_shape');
  return record.at('value').amount();
}

function readExercise(record: JsonNode): Reading {
  const minutes = ofUnit(record, 'minutes');
  const intensity = record.at('eventSubType').optional((node) => known(intensities, node));
  return { value: minutes, minutes, extra: { intensity } };
}

function readBloodGlucose(record: JsonNode): Reading {
  const value = toMmol(record.at('value').amount(), record.at('unit').text());
  if (value === undefined) throw record.at('unit').fail('unknown_shape');
  return { value };
}

function noteOf(key: string): EventKind {
  const read = (record: JsonNode): Reading => ({ value: null, extra: { text: record.at(key).text(), tags: ['unspecified'] } });
  return { resource: 'note', sourceType: diary, read };
}

/** By `eventType`. */
const kinds: Readonly<Record<string, EventKind>> = {
  carbs: { resource: 'carbohydrates', sourceType: diary, read: (record) => ({ value: ofUnit(record, 'grams') }) },
  insulin: {
    resource: 'insulin_injection',
    sourceType: diary,
    subKindOf: (record) => known(insulins, record.at('eventSubType')),
    read: (record) => ({ value: ofUnit(record, 'units'), extra: insulinDelivery }),
  },
  exercise: { resource: 'workout_duration', sourceType: diary, read: readExercise },
  bloodGlucose: { resource: 'glucose', sourceType: meter, read: readBloodGlucose },
  health: noteOf('eventSubType'),
  notes: noteOf('value'),
  note: noteOf('value'),
};

function sampleOf(kind: EventKind, record: JsonNode, { ms, offset }: DexcomTime): Sample {
  const { value, minutes = 0, extra } = kind.read(record);
  // Glucose is a point; the rest lasts, most of it no time at all.
  const end = kind.resource === 'glucose' ? {} : { end: ms + Math.round(minutes * 60_000) };
  return { ts: ms, ...end, value, timezoneOffset: offset, ...(extra && { extra }) };
}

function readEvent(record: JsonNode, { startDate, endDate }: PullWindow, context: DexcomContext): Event | undefined {
  const type = record.at('eventType').text();
  const time = readTime(record, context);
  const kind = Object.hasOwn(kinds, type) ? kinds[type] : undefined;
  if (kind === undefined || time.day < startDate || time.day > endDate) return undefined;
  const { resource, sourceType } = kind;
  const isDeleted = record.at('eventStatus').value === 'deleted';
  return {
    resource,
    sourceType,
    subKind: kind.subKindOf?.(record),
    ts: time.ms,
    sample: isDeleted ? null : sampleOf(kind, record, time),
  };
}

/**
 * `events`: what the person wrote down. What was deleted is taken out, unless another event of its kind stands at the same moment.
 */
export function mapEvents(body: unknown, window: PullWindow, context: DexcomContext): MappedRecords {
  const quarantined: Quarantined[] = [];
  const events = readEach('note', new JsonNode(body).at('records'), quarantined, (record) => readEvent(record, window, context));
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
