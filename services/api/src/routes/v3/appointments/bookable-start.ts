import type { ValidationError } from '@pulsewire/contract';
import { fieldError } from '../../../validate/validate-request.ts';

/** The 14 days from here are days of the calendar in every time zone. */
const lastStart = '9999-11-30';

/** Reports a first day that is so far ahead that the days from it do not exist: partners would be asked for something without a name. */
export function bookableStart({ query }: { readonly query: { readonly start_date?: string | undefined } }): readonly ValidationError[] {
  if (query.start_date === undefined || query.start_date <= lastStart) return [];
  return [fieldError(['query', 'start_date'], `Must be at most ${lastStart}`, query.start_date)];
}
