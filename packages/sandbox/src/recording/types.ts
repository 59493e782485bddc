/** One recorded day of one volunteer, minute by minute on the volunteer's local clock. */
export interface RecordedDay {
  readonly date: string;
  /** 1,440 counts, one a minute. */
  readonly steps: Uint16Array;
  /** 1,440 values: 0 sedentary, 1 light, 2 fair, 3 very active. */
  readonly intensity: Uint8Array;
  /** 1,440 values in kcal; the recorded hourly sums, spread over each hour by intensity. */
  readonly calories: Float32Array;
  /** kcal a minute at rest: the quietest recorded hour. */
  readonly bmrPerMinute: number;
  readonly kmPerStep: number;
  readonly sleep?: RecordedSleep;
  readonly weight?: RecordedWeight;
}

export interface RecordedSleep {
  readonly records: number;
  readonly minutesAsleep: number;
  readonly minutesInBed: number;
}

export interface RecordedWeight {
  readonly secondOfDay: number;
  readonly weightKg: number;
  readonly fatPercent: number | null;
  readonly bmi: number;
  readonly isManual: boolean;
}

/** The heart readings of one day, about one every five seconds while the tracker was worn. */
export interface HeartTrack {
  readonly secondOfDay: Uint32Array;
  readonly bpm: Uint8Array;
  /** 1,440 means, 0 where nothing was read. */
  readonly minuteMeans: Uint8Array;
  readonly restingBpm: number;
}

export interface Recording {
  /** Volunteers in the order of the file. */
  users(): readonly string[];
  /** The dates on which minutes were recorded, in order and without holes. */
  dates(user: string): readonly string[];
  /** Undefined where nothing was recorded. */
  day(user: string, date: string): RecordedDay | undefined;
  heartTracks(): readonly HeartTrack[];
}
