/** Where a record was measured: provider and source type make the identity, the rest travels along. */
export interface SourceRef {
  /** Provider slug. */
  readonly provider: string;
  /** Source type: `watch`, `ring`, `scale`, … `unknown` when it cannot be told. */
  readonly type: string;
  readonly appId?: string | null;
  readonly deviceId?: string | null;
  /** Sport slug; only on workout streams and wheelchair distance. */
  readonly sport?: string | null;
  readonly workoutId?: string | null;
}

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
  /** Further wire fields (`sensor_location`, `tags`, `delivery_mode`, an optional `type`), and `text` for notes. */
  readonly extra?: Readonly<Record<string, unknown>>;
}

/** Samples of one series from one source. */
export interface SampleGroup {
  readonly kind: 'samples';
  /** Resource name as in events: `steps`, `weight`. */
  readonly resource: string;
  /** Only for resources whose samples carry a required sub-kind. */
  readonly subKind?: string;
  readonly source: SourceRef;
  readonly samples: readonly Sample[];
}

/** One summary in its canonical form, before it is stored. */
export interface Summary {
  readonly kind: 'summary';
  /** UUIDv5 over user, provider, source type, resource and the provider's own id or date, so a re-pull finds the same row. */
  readonly id: string;
  readonly resource: string;
  readonly source: SourceRef;
  /** The user's local day, `YYYY-MM-DD`; null where the resource has none. */
  readonly calendarDate: string | null;
  /** The instant by which reads with times filter, ms since the epoch. */
  readonly at: number;
  /** Wire fields in snake_case without id, user_id, source, created_at and updated_at. JSON values only. */
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * The stream of one workout: parallel arrays over `time`. Stored whole, the latest received wins; its events
 * only say that it can be read.
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
  /** `time` in Unix seconds, ascending; the others as long as it, null where a sensor dropped out. */
  readonly data: { readonly time: readonly number[] } & Readonly<Partial<Record<StreamChannel, readonly (number | null)[]>>>;
}

/** What a workout stream may hold beside its time. */
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

/** The provider took a summary back; its workout stream goes with it. An older answer does not bring it back. */
export interface SummaryRemoval {
  readonly kind: 'summary_removal';
  readonly resource: string;
  readonly id: string;
}

/** The provider took single readings back. */
export interface SampleRemoval {
  readonly kind: 'sample_removal';
  readonly resource: string;
  readonly subKind?: string;
  readonly source: SourceRef;
  /** Their times, ms since the epoch. */
  readonly ts: readonly number[];
}

/**
 * A range of which an answer holds everything: a stored record of these source types that lies in it and is missing in the answer was
 * taken back by the provider. Records of other sources and providers are not meant.
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

/** What a mapper makes of provider JSON. */
export type CanonicalRecord = SampleGroup | Summary | WorkoutStream | SummaryRemoval | SampleRemoval;

/** A part of a provider's answer that could not be mapped: kept aside with its reason, the rest goes on. */
export interface Quarantined {
  readonly resource: string;
  /** Stable word: `missing_field`, `bad_time`, `bad_number`, `bad_text`, `unknown_shape`, `too_many`; `sqlstate_…` when Postgres refused it. */
  readonly reason: string;
  /** Where in the answer, as a JSON pointer; of what Postgres refused, its id or time. Never the value. */
  readonly pointer: string;
}
