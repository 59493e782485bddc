import { dateOf, dayNumber } from '../../model/calendar.ts';

/** Maps calendar dates to recorded days. */
export interface Timeline {
  /** How many days the recording lasts before it starts over. */
  readonly lengthDays: number;
  recordedDate(date: string): string;
}

/**
 * The recording repeated forever, moved by whole weeks so that weekdays stay. A date has the same recorded day regardless of when
 * the simulator was started: a restart on another day must not look like a changed past.
 */
export function createTimeline(recordedDates: readonly string[]): Timeline {
  const first = recordedDates[0];
  if (first === undefined) throw new RangeError('nothing was recorded for this user');
  const lengthDays = recordedDates.length >= 7 ? recordedDates.length - (recordedDates.length % 7) : recordedDates.length;
  const firstDay = dayNumber(first);
  return {
    lengthDays,
    recordedDate(date) {
      const distance = dayNumber(date) - firstDay;
      return dateOf(firstDay + (((distance % lengthDays) + lengthDays) % lengthDays));
    },
  };
}
