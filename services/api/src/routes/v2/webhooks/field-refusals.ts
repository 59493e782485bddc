import { isAppError } from '@pulsewire/kernel';
import { fieldError, validationError } from '../../../http/validate/validate-request.ts';

// What the package of webhooks refuses because of one field of the request, and where that field stands.
const places: Readonly<Record<string, readonly [part: 'body' | 'query', field: string]>> = {
  endpoint_url_refused: ['body', 'url'],
  event_type_unknown: ['body', 'filter_types'],
  header_refused: ['body', 'headers'],
  cursor_invalid: ['query', 'next_cursor'],
};

/** Runs the work; a refusal of one field becomes a validation error that names it. `secretField` is where this request carries a secret. */
export async function withFieldRefusals<T>(
  input: { readonly body?: unknown; readonly query?: unknown },
  work: () => Promise<T>,
  secretField = 'secret',
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const place = isAppError(error) ? (error.code === 'secret_invalid' ? (['body', secretField] as const) : places[error.code]) : undefined;
    if (!isAppError(error) || place === undefined) throw error;
    const [part, field] = place;
    // A secret that was refused is not repeated.
    const given = error.code === 'secret_invalid' ? null : ((input[part] as Record<string, unknown> | undefined)?.[field] ?? null);
    throw validationError([fieldError([part, field], error.message, given)]);
  }
}
