import type { ValidationError } from '@pulsewire/contract';
import { dateTimeMs } from './formats.ts';
import { fieldError } from './validate-request.ts';

/** The instant of a query's text; one without an offset is UTC. */
export function optionalInstant(text: string | undefined): Date | undefined {
  return text === undefined ? undefined : new Date(dateTimeMs(text));
}

/** A range that ends before it begins is a failing field. */
export function orderedRange({
  since,
  until,
}: {
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}): readonly ValidationError[] {
  if (since === undefined || until === undefined || dateTimeMs(since) <= dateTimeMs(until)) return [];
  return [fieldError(['query', 'until'], 'Must not lie before since', until)];
}
