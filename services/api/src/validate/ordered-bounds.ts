import type { ValidationError } from '@pulsewire/contract';
import { instants, type WindowQuery } from './read-window.ts';
import { fieldError } from './validate-request.ts';

/** Reports an end before its start as a failing field. A missing end is valid: it means now, and the response may be empty. */
export function orderedBounds(query: WindowQuery, now: Date): readonly ValidationError[] {
  if (query.end_date === undefined) return [];
  const { fromMs, toMs } = instants(query, now);
  return toMs < fromMs ? [fieldError(['query', 'end_date'], 'Must not be before start_date', query.end_date)] : [];
}
