import type { CanonicalRecord, OffsetOrigin, Sample, SourceRef, Summary, SummaryRemoval } from '@pulsewire/contract';

/** A health store of a phone. */
export type PhoneProvider = 'apple_health_kit' | 'health_connect' | 'samsung_health';

/** Whose phone it is, and how its times are read where an item does not state its zone. */
export interface PhoneUser {
  readonly userId: string;
  readonly provider: PhoneProvider;
  /** The last zone that the phone reported, else the user's fallback zone. */
  readonly timeZone: string | null;
  readonly isZoneOfUser: boolean;
  /** `YYYY-MM-DD`, where the user's is known: bounds the zones of heart rates. */
  readonly birthDate?: string | null;
  /** Of the SDK that sent the items, as it states it; absent for an export. */
  readonly sdkVersion?: string | null;
  /** The writers of HealthKit data that the phone has named so far. */
  readonly writers?: readonly PhoneWriter[];
  /** When the items arrived; those of a later day are damaged. */
  readonly receivedAtMs: number;
}

/** A writer of HealthKit data as a phone names it: exports state its name, and phones before iOS SDK 0.12 its bundle id. */
export interface PhoneWriter {
  readonly name: string;
  /** Bundle id. */
  readonly appId: string;
  /** The kind of device that it runs on. */
  readonly type: string;
}

/** One item of a list as it was sent. */
export type PhoneItem = Readonly<Record<string, unknown>>;

/** The lists of a batch; an absent one is empty. */
export interface PhoneBatch {
  /** Of the SDK, as it states it. */
  readonly sdkVersion?: string | null;
  readonly records: readonly unknown[];
  readonly sleep: readonly unknown[];
  readonly workouts: readonly unknown[];
  readonly deleted: readonly unknown[];
  /** Whether it is a part of an export. */
  readonly isExport?: boolean;
  /** Of exports; phones send none. */
  readonly electrocardiograms?: readonly unknown[];
}

/** A span of sleep of one stage, as the phone sends them one by one. */
export interface SleepSegment {
  /** Empty when the item has none. */
  readonly itemId: string;
  /** Of the session that it is a stage of; empty when the item names none. */
  readonly parentId: string;
  readonly sourceType: string;
  readonly appId: string;
  readonly stage: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly offset: number | null;
  readonly score: number | null;
}

/** What stored records an item of the phone became, so that it can be deleted by its id. */
export interface PhoneItemRef {
  readonly itemId: string;
  readonly resource: string;
  readonly subKind: string;
  readonly sourceType: string;
  readonly atMs: number;
  /** Of a summary; null for a sample. */
  readonly summaryId: string | null;
  /** Of the record of the phone that it is part of. */
  readonly parentId: string | null;
}

/** An item that became a sample of a frequent series. */
export interface FrequentItem {
  readonly itemId: string;
  /** Of the record that the phone keeps it in. */
  readonly parentId: string | null;
  readonly resource: string;
  /** The kind of amount, where samples of the series are made of several; else empty. */
  readonly part: string;
  readonly sourceType: string;
  readonly atMs: number;
}

/** An item that was deleted on the phone and may have been a sample of a frequent series; of which one, unless that is unknown. */
export interface DeletedSample {
  readonly itemId: string;
  readonly resource: string | null;
}

/** An entry about a menstrual cycle. Cycles are built from all entries of a person. */
export interface PhoneCycleItem {
  readonly itemId: string;
  /** Its first and last local day. */
  readonly date: string;
  readonly until: string;
  /** A list of the contract's cycle, or `period`. */
  readonly kind: string;
  /** The word, number or flag of its list as text; empty for an entry without one. */
  readonly value: string;
  readonly atMs: number;
}

/** A reading for which there is no series; days and meals are built from them. */
export interface PhoneReading {
  /** A heart rate of the day, or a nutrient of a meal. */
  readonly kind: string;
  readonly sourceType: string;
  readonly appId: string;
  readonly atMs: number;
  /** Distinguishes foods of one time by their amount; 0 for a kind of which there is one at a time. */
  readonly slot: number;
  readonly value: number;
  readonly offset: number | null;
  /** Empty when the item has none. */
  readonly itemId: string;
}

/** A point or span that belongs to a workout, of which Android phones send no figures. */
export interface PhoneWorkoutPart {
  /** Its type, as Health Connect names it. */
  readonly kind: string;
  /** The record of the phone that holds it, else itself; empty when it has no id. */
  readonly recordId: string;
  readonly sourceType: string;
  readonly appId: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly value: number;
}

/** The zone of a source on a local day, in days since 1 January 1970: that of its last reading. */
export interface PhoneDayZone {
  readonly sourceType: string;
  readonly day: number;
  /** IANA name. */
  readonly zone: string;
  /** When the reading began. */
  readonly atMs: number;
}

/** The samples of a series of a source on a local day, in days since 1 January 1970: the sum of an amount, or the range of a rate. */
export interface PhoneDayTotal {
  readonly sourceType: string;
  readonly resource: string;
  readonly day: number;
  readonly sum: number | null;
  readonly min: number | null;
  readonly max: number | null;
  readonly average: number | null;
  readonly offset: number | null;
  readonly offsetFrom: OffsetOrigin | undefined;
}

/** The stored activity summary of a day. */
export interface StoredDay {
  readonly data: Readonly<Record<string, unknown>>;
  readonly offsetFrom: OffsetOrigin | undefined;
}

/** A summary that is built from what is stored, or its removal where nothing is left. */
export type BuiltRecord = Summary | SummaryRemoval;

/** A value of a weighing. */
export interface PhoneBodyValue {
  readonly sourceType: string;
  readonly atMs: number;
  readonly resource: string;
  readonly value: number;
  readonly offset: number | null;
}

/** A blood pressure of which a batch holds only one value. */
export interface PressureHalf {
  readonly source: SourceRef;
  readonly atMs: number;
  /** mmHg. */
  readonly systolic: number | null;
  readonly diastolic: number | null;
  readonly offsets: Pick<Sample, 'timezoneOffset' | 'offsetFrom'>;
}

export interface MappedBatch {
  readonly records: readonly CanonicalRecord[];
  /** The other value may be in another batch: iPhones send one type per batch. */
  readonly pressureHalves: readonly PressureHalf[];
  readonly segments: readonly SleepSegment[];
  readonly cycleItems: readonly PhoneCycleItem[];
  readonly readings: readonly PhoneReading[];
  /** Of the days that samples and readings belong to, as far as zones are known. */
  readonly dayZones: readonly PhoneDayZone[];
  readonly refs: readonly PhoneItemRef[];
  readonly frequentItems: readonly FrequentItem[];
  /** Ids of items that the person deleted on the phone. */
  readonly deleted: readonly string[];
  readonly deletedSamples: readonly DeletedSample[];
  /** How many items and values were left out, by reason and where it has one by name: `bad_time`, `unknown_unit (furlong)`. */
  readonly leftOut: Readonly<Record<string, number>>;
  /** The zone that the phone named last. */
  readonly timeZone: string | null;
  readonly workoutParts: readonly PhoneWorkoutPart[];
  /** Named in this batch. */
  readonly writers: readonly PhoneWriter[];
}
