/** Where a record was measured: provider and source type are its identity, the rest is additional. */
export interface SourceRef {
  /** Provider slug. */
  readonly provider: string;
  /** Source type: `watch`, `ring`, `scale`, … `unknown` when it cannot be determined. */
  readonly type: string;
  readonly appId?: string | null;
  readonly deviceId?: string | null;
  /** Sport slug; only on workout streams and wheelchair distance. */
  readonly sport?: string | null;
  readonly workoutId?: string | null;
  /** The device of `deviceId` as the response describes it. Stored separately, not part of the source. */
  readonly device?: SeenDevice;
}

/** A device as a provider describes it; null for missing details. */
export interface SeenDevice {
  /** Derived from user, provider and `externalId`. */
  readonly id: string;
  readonly sourceType: string;
  readonly manufacturer: string | null;
  readonly model: string | null;
  readonly version: string | null;
  /** The provider's id of the device. */
  readonly externalId: string;
  /** The provider's JSON about the device, under its own names. */
  readonly raw?: Readonly<Record<string, unknown>>;
}

/** The part of a provider's response that a summary was mapped from. */
export interface RawItem {
  /** The provider's own id of the record, or its local day where it has none. */
  readonly externalId: string;
  /** As parsed from the provider's JSON. */
  readonly data: unknown;
}

/** Where an offset came from: the value itself, the zone that the provider reports for the account, or the user's fallback zone. */
export type OffsetOrigin = 'value' | 'provider' | 'user';

/** One reading of a series. Times are milliseconds since the epoch (UTC). */
export interface Sample {
  readonly ts: number;
  /** Exclusive end of an interval; absent for a point. */
  readonly end?: number;
  /** In the unit of the resource; systolic for blood pressure; null only where `extra.text` holds the value. */
  readonly value: number | null;
  /** Diastolic pressure; nothing else uses it. */
  readonly value2?: number;
  /** Seconds east of UTC; null when unknown. */
  readonly timezoneOffset: number | null;
  /** Where the offset came from. Absent: as the connector declares for all of its values. */
  readonly offsetFrom?: OffsetOrigin;
  /** Further wire fields (`sensor_location`, `tags`, `delivery_mode`, an optional `type`), and `text` for notes. */
  readonly extra?: Readonly<Record<string, unknown>>;
}

/** Samples of one series from one source. */
export interface SampleGroup {
  readonly kind: 'samples';
  /** Resource name as in events: `steps`, `weight`. */
  readonly resource: string;
  /** Only for resources with a required sub-kind. */
  readonly subKind?: string;
  readonly source: SourceRef;
  readonly samples: readonly Sample[];
}

/** One summary in its canonical form, before it is stored. */
export interface Summary {
  readonly kind: 'summary';
  /** UUIDv5 over user, provider, source type, resource and the provider's own id or date, so that a re-pull updates the same row. */
  readonly id: string;
  readonly resource: string;
  readonly source: SourceRef;
  /** The user's local day, `YYYY-MM-DD`; null where the resource has none. */
  readonly calendarDate: string | null;
  /** The instant by which reads filter, ms since the epoch. */
  readonly at: number;
  /** Wire fields in snake_case without id, user_id, source, created_at and updated_at. JSON values only. */
  readonly data: Readonly<Record<string, unknown>>;
  /** Where `timezone_offset` came from. Absent: as the connector declares for all of its values. */
  readonly offsetFrom?: OffsetOrigin;
  /** Stored separately, and only for teams with raw data enabled. Absent where no response describes the record. */
  readonly raw?: RawItem;
}

/**
 * The stream of one workout: parallel arrays over `time`. Stored as a whole, the last received wins; its events
 * only announce that it can be read.
 */
export interface WorkoutStream {
  readonly kind: 'stream';
  readonly resource: 'workout_stream';
  /** The id of the workout's summary. */
  readonly workoutId: string;
  /** The workout's id at the provider. */
  readonly providerId: string;
  readonly sport: { readonly id: number; readonly name: string; readonly slug: string } | null;
  readonly source: SourceRef;
  /** `time` in Unix seconds, ascending; the others have the same length, with null where a sensor dropped out. */
  readonly data: { readonly time: readonly number[] } & Readonly<Partial<Record<StreamChannel, readonly (number | null)[]>>>;
}

/** The channels of a workout stream besides its time. */
export type StreamChannel =
  | 'cadence'
  | 'altitude'
  | 'velocity_smooth'
  | 'heartrate'
  | 'lat'
  | 'lng'
  | 'distance'
  | 'power'
  | 'resistance'
  | 'temperature';

/** The provider deleted a summary; its workout stream is deleted too. An older response does not restore it. */
export interface SummaryRemoval {
  readonly kind: 'summary_removal';
  readonly resource: string;
  readonly id: string;
}

/** The provider deleted individual readings. */
export interface SampleRemoval {
  readonly kind: 'sample_removal';
  readonly resource: string;
  readonly subKind?: string;
  readonly source: SourceRef;
  /** Their times, ms since the epoch. */
  readonly ts: readonly number[];
}

/**
 * A range that a response covers completely: a stored record of these source types in the range that is missing in the response was
 * deleted by the provider. Records of other sources and providers are unaffected.
 */
export type CompleteRange =
  | {
      readonly kind: 'summaries';
      readonly resource: string;
      readonly sourceTypes: readonly string[];
      /** Calendar dates, both inclusive. */
      readonly startDate: string;
      readonly endDate: string;
    }
  | {
      readonly kind: 'samples';
      readonly resource: string;
      readonly subKind?: string;
      readonly sourceTypes: readonly string[];
      /** Times of samples, ms since the epoch. */
      readonly fromMs: number;
      /** Exclusive. */
      readonly toMs: number;
    };

/** The output of a mapper for provider JSON. */
export type CanonicalRecord = SampleGroup | Summary | WorkoutStream | SummaryRemoval | SampleRemoval;

/** A part of a provider's response that could not be mapped: quarantined with its reason; the rest is stored. */
export interface Quarantined {
  readonly resource: string;
  /**
   * Stable code: `missing_field`, `bad_time`, `bad_number`, `bad_text`, `unknown_shape`, `unknown_unit`, `other_person`, `too_many`; `cut_off` and
   * `damaged` for the rest of a file; `sqlstate_…` when Postgres rejected it.
   */
  readonly reason: string;
  /** JSON pointer into the response, a byte of a file, or the id or time of a record that Postgres rejected. Never the value. */
  readonly pointer: string;
}
