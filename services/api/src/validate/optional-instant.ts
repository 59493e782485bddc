import type { ValidationError } from '@pulsewire/contract';
import { dateTimeMs } from './formats.ts';
import { fieldError } from './validate-request.ts';

/** The instant of a query parameter; without an offset it is UTC. */
export function optionalInstant(text: string | undefined): Date | undefined {
  return text === undefined ? undefined : new Date(dateTimeMs(text));
}

/** Reports a range that ends before it begins as a failing field. */
export function orderedRange({
  since,
  until,
}: {
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}): readonly ValidationError[] {
  if (since === undefined || until === undefined || dateTimeMs(since) <= dateTimeMs(until)) return [];
  return [fieldError(['query', 'until'], 'Must not be before since', until)];
}
