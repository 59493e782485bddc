import type { ValidationError } from '@pulsewire/contract';
import { isAppError, type AppError } from '@pulsewire/kernel';
import { fieldError, validationError } from './validate-request.ts';

interface Parts {
  readonly body?: unknown;
  readonly query?: unknown;
}

// Errors of the webhooks package that are caused by one field of the request, with the location of the field.
const places: Readonly<Record<string, readonly [part: 'body' | 'query', field: string]>> = {
  endpoint_url_refused: ['body', 'url'],
  event_type_unknown: ['body', 'filter_types'],
  event_type_without_example: ['body', 'event_type'],
  header_refused: ['body', 'headers'],
  schedule_invalid: ['body', 'schedule'],
  skip_superseded_refused: ['body', 'skip_superseded'],
  replay_since_invalid: ['body', 'since'],
  replay_range_invalid: ['body', 'until'],
  replay_types_unknown: ['body', 'event_types'],
  cursor_invalid: ['query', 'next_cursor'],
};

function toFieldError(error: AppError, input: Parts, secretField: string): ValidationError | undefined {
  // A refused secret is not repeated.
  if (error.code === 'secret_invalid') return fieldError(['body', secretField], error.message, null);
  const place = places[error.code];
  if (place === undefined) return undefined;
  const [part, field] = place;
  return fieldError([part, field], error.message, (input[part] as Record<string, unknown> | undefined)?.[field] ?? null);
}

/**
 * Runs the work; errors about fields become one validation error that lists them all. `secretField` is the location of the request's
 * secret.
 */
export async function withFieldRefusals<T>(input: Parts, work: () => Promise<T>, secretField = 'secret'): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isAppError(error)) throw error;
    const refusals = error.code === 'endpoint_refused' ? (error.details['refusals'] as readonly AppError[]) : [error];
    const errors = refusals.flatMap((refusal) => toFieldError(refusal, input, secretField) ?? []);
    throw errors.length === refusals.length ? validationError(errors) : error;
  }
}
