/** The truth about one simulated person: every simulator renders it in its provider's own format. Instants are ms since the epoch. */
export interface Reading {
  readonly ms: number;
  readonly value: number;
}

export type Stage = 'awake' | 'light' | 'deep' | 'rem';

export interface StageSpan {
  readonly stage: Stage;
  readonly startMs: number;
  readonly endMs: number;
}

export interface Sleep {
  /** Digits; `uuid` is the same night's id in the other form. */
  readonly id: string;
  readonly uuid: string;
  readonly startMs: number;
  readonly endMs: number;
  /** Without gaps, from start to end. Whole multiples of five minutes. */
  readonly stages: readonly StageSpan[];
  readonly secondsOf: Readonly<Record<Stage, number>>;
  readonly latencySeconds: number;
  /** Percent. */
  readonly efficiency: number;
  /** 1 to 100. */
  readonly score: number;
  /** Every five minutes from the start on: bpm, ms RMSSD, breaths a minute. */
  readonly heart: readonly Reading[];
  readonly hrv: readonly Reading[];
  readonly breaths: readonly Reading[];
  readonly hrLowest: number;
  readonly hrAverage: number;
  readonly hrvAverage: number;
  readonly respiratoryRate: number;
  /** °C against the person's baseline. */
  readonly temperatureDelta: number;
  readonly updatedMs: number;
}

export interface TrackPoint {
  readonly ms: number;
  readonly bpm: number;
  readonly lat: number;
  readonly lng: number;
  readonly altitudeM: number;
  readonly speedMs: number;
  /** Steps or turns a minute. */
  readonly cadence: number;
  readonly watts: number;
  /** From the start on. */
  readonly distanceM: number;
}

export interface Workout {
  readonly id: string;
  readonly uuid: string;
  readonly sport: 'running' | 'cycling' | 'walking';
  readonly title: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly movingSeconds: number;
  readonly distanceM: number;
  readonly kcal: number;
  readonly steps: number;
  readonly hrAverage: number;
  readonly hrMax: number;
  readonly elevationM: number;
  /** Every ten seconds. */
  readonly track: readonly TrackPoint[];
  readonly updatedMs: number;
}

export interface Weighing {
  readonly id: string;
  readonly ms: number;
  readonly kg: number;
  readonly fatPercent: number;
}

export interface BloodPressure {
  readonly id: string;
  readonly ms: number;
  readonly systolic: number;
  readonly diastolic: number;
  readonly pulse: number;
}

/** An hour of the day's movement; a day has 23 to 25 of them. */
export interface Hour {
  readonly startMs: number;
  readonly endMs: number;
  readonly steps: number;
  readonly distanceM: number;
  readonly activeKcal: number;
}

/** The provider's data of one local day: cut off at the last sync of the device. */
export interface PersonDay {
  /** `YYYY-MM-DD`, local. */
  readonly date: string;
  readonly startMs: number;
  readonly endMs: number;
  /** The day is over and completely known. */
  readonly isComplete: boolean;
  readonly updatedMs: number;
  readonly steps: number;
  readonly distanceM: number;
  readonly floors: number;
  readonly activeKcal: number;
  readonly basalKcal: number;
  readonly lowSeconds: number;
  readonly mediumSeconds: number;
  readonly highSeconds: number;
  readonly hours: readonly Hour[];
  /** Every five minutes. */
  readonly heart: readonly Reading[];
  /** mg/dL, every five minutes. */
  readonly glucose: readonly Reading[];
  /** 0 to 100, every fifteen minutes. */
  readonly stress: readonly Reading[];
  readonly hrAverage: number;
  readonly hrMin: number;
  readonly hrMax: number;
  readonly restingHr: number;
  /** Percent, average of the night. */
  readonly spo2: number;
  readonly vo2Max: number;
  /** Skin temperature in the night, °C. */
  readonly skinCelsius: number;
  /** Nights that ended on this day. */
  readonly sleeps: readonly Sleep[];
  /** Workouts that started on this day and are over: one every second day. */
  readonly workouts: readonly Workout[];
  /** Every third day; none on others. */
  readonly weighings: readonly Weighing[];
  readonly bloodPressures: readonly BloodPressure[];
}

/** New, changed or removed data, to be announced. */
export interface Change {
  readonly kind: 'activity' | 'sleep' | 'workout' | 'body' | 'blood_pressure' | 'glucose' | 'meal';
  readonly action: 'created' | 'updated' | 'deleted';
  readonly date: string;
  /** Of a sleep or workout: its id and uuid; of days: the date. */
  readonly id: string;
  readonly uuid: string;
  readonly startMs: number;
  readonly endMs: number;
}

/** A stretch of time; its end does not belong to it. */
export interface Stretch {
  readonly fromMs: number;
  readonly toMs: number;
}

export interface PersonSpec {
  /** Shown on the consent page; the handle by which a program finds the account. */
  readonly name: string;
  /** IANA name. */
  readonly timeZone: string;
  /** Days of history before the day on which the account is created. Default 400. */
  readonly historyDays?: number;
  /** How long ago the device last synced. Default 60 minutes. */
  readonly backlogMinutes?: number;
}
