import type { CanonicalRecord, Sample, SampleGroup, SourceRef } from '@pulsewire/contract';
import { textOf, type LeftOut } from './read-item.ts';
import type {
  FrequentItem,
  PhoneCycleItem,
  PhoneDayZone,
  PhoneItem,
  PhoneItemRef,
  PhoneReading,
  PhoneWorkoutPart,
  PressureHalf,
} from './types.ts';

/** What the records of a batch are collected in. */
export interface Collected {
  add(source: SourceRef, resource: string, subKind: string | undefined, sample: Sample): void;
  keep(record: CanonicalRecord): void;
  keepHalf(half: PressureHalf): void;
  keepCycleItem(item: PhoneCycleItem): void;
  keepReading(reading: PhoneReading): void;
  keepPart(part: PhoneWorkoutPart): void;
  recordZone(zone: PhoneDayZone): void;
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
  const workoutParts: PhoneWorkoutPart[] = [];
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
    keepPart: (part) => void workoutParts.push(part),
    recordZone(zone) {
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
    workoutParts,
    dayZones: (): PhoneDayZone[] => [...zones.values()],
    refs,
    frequentItems,
    leftOut,
  };
}

/** Counts a value that cannot be read: one that was sent with a unit of another kind, or no number. */
export function leaveOutValue(to: Collected, given: number | 'bad_time' | null, value: number | null, item: PhoneItem): void {
  const unit = textOf(item['unit']);
  if (given === 'bad_time') to.leaveOut('bad_time');
  else if (given !== null && value === null && unit !== null) to.leaveOut('unknown_unit', unit);
  else to.leaveOut('bad_number');
}
