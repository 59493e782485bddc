import { datesBetween, dayNumber, isDate } from '../../model/calendar.ts';
import type { FitbitCall } from './types.ts';
import { invalid } from '../../kit/parts/refusal.ts';

/** The path's `date`; `today` is the account's. Throws 400 `validation`. */
export function dateIn(call: FitbitCall, name = 'date'): string {
  const text = call.params[name] ?? '';
  if (text === 'today') return call.account.today();
  if (!isDate(text)) throw invalid(`Invalid date: ${name} must be yyyy-MM-dd`);
  return text;
}

/** The dates from the path's `start` to its `end`. Throws 400 `validation` beyond `daysMax` days, both ends counted. */
export function rangeIn(call: FitbitCall, daysMax: number): string[] {
  const [start, end] = [dateIn(call, 'start'), dateIn(call, 'end')];
  if (end < start) throw invalid('The end date is before the start date');
  if (dayNumber(end) - dayNumber(start) + 1 > daysMax) throw invalid(`The date range is longer than ${daysMax} days`);
  return datesBetween(start, end);
}
