import type { HeartTrack, RecordedDay } from '../../recording/types.ts';
import type { AccountSpec } from '../../kit/types.ts';
import type { Zone } from '../../model/zone.ts';
import type { LogBook } from './log-book.ts';

/** A person with a tracker, as the maker of a simulator describes one. */
export interface FitbitAccountSpec extends AccountSpec {
  /** The volunteer whose recording the account shows. Default: depends on the name. */
  readonly recordedUser?: string;
  /** `classic` is what an older tracker gives. Default `stages`. */
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
  /** What the second pass of a repeated hour shows: that hour of the recorded day after this one. */
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
  /** Takes `minutes` more from the tracker, never past the present. Gives what became known. */
  readTracker(minutes: number): { fromMs: number; toMs: number };
  /** Replaces the steps of one minute, or gives the recorded count back. False when the bound on revisions is reached. */
  reviseMinute(date: string, minute: number, steps: number | undefined): boolean;
  snapshot(): AccountSnapshot;
}

/** What of an account must outlive a restart. */
export interface AccountSnapshot {
  readonly syncedMs: number;
  readonly revisions: readonly (readonly [date: string, minute: number, steps: number])[];
}
