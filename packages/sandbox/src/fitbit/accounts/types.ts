import type { HeartTrack, RecordedDay } from '../../recording/types.ts';
import type { AccountSpec } from '../../kit/types.ts';
import type { Zone } from '../../model/zone.ts';
import type { LogBook } from './log-book.ts';

/** A person with a tracker, as given to the simulator. */
export interface FitbitAccountSpec extends AccountSpec {
  /** The volunteer whose recording the account shows. Default: depends on the name. */
  readonly recordedUser?: string;
  /** `classic`: older trackers. Default `stages`. */
  readonly sleepType?: 'stages' | 'classic';
  /** Whether the tracker reads a heart rate. Default true. */
  readonly hasHeart?: boolean;
}

/** Where the values of minutes come from. */
export interface MinuteSource {
  readonly recorded: RecordedDay;
  /** Recorded counts with revisions applied. */
  readonly steps: Uint16Array;
  readonly heart: HeartTrack | undefined;
}

/** One day of an account as the provider knows it now. */
export interface AccountDay extends MinuteSource {
  readonly date: string;
  /**
   * The minutes of the day that the provider has, in order of time; none that the clocks jump over. Those of the second pass of a
   * repeated hour are 1,440 and more.
   */
  readonly minutes: readonly number[];
  /** The data of the second pass of a repeated hour: that hour of the next recorded day. */
  readonly again?: MinuteSource;
}

/** A person's data at the simulated provider: what was recorded, cut at the moment when the tracker was last read. */
export interface Account {
  readonly name: string;
  readonly ownerId: string;
  readonly zone: Zone;
  readonly sleepType: 'stages' | 'classic';
  readonly firstDate: string;
  readonly logs: LogBook;
  /** The instant up to which the provider has data, epoch milliseconds, a full minute. */
  syncedMs(): number;
  /** Today on the account's clock. */
  today(): string;
  /** Undefined before the account began, and for days of which nothing has been read yet. */
  day(date: string): AccountDay | undefined;
  /** The minutes of a date that have passed, whether the tracker has been read since or not. */
  passedMinutes(date: string): readonly number[];
  /** The recorded day behind a date, also of a day that has not come yet. */
  recordedDay(date: string): RecordedDay | undefined;
  /** Reads `minutes` more from the tracker, never past the present. Returns the range that was read. */
  readTracker(minutes: number): { fromMs: number; toMs: number };
  /** Replaces the steps of one minute, or restores the recorded count. False when the limit of revisions is reached. */
  reviseMinute(date: string, minute: number, steps: number | undefined): boolean;
  snapshot(): AccountSnapshot;
}

/** The state of an account that must survive a restart. */
export interface AccountSnapshot {
  readonly syncedMs: number;
  readonly revisions: readonly (readonly [date: string, minute: number, steps: number])[];
}
