/** A response of the API that a page cannot work with. */
export class ApiRefusal extends Error {
  readonly status: number;
  /** The API's own explanation. */
  readonly detail: string;

  constructor(status: number, detail: string) {
    super(`The API responded with ${status}`);
    this.status = status;
    this.detail = detail;
  }
}

interface FieldError {
  readonly loc?: readonly (string | number)[];
  readonly msg?: string;
}

/** The text of an error response: a sentence, or one for each failing field. */
export function detailOf(body: unknown): string {
  const detail = (body as { readonly detail?: unknown } | null)?.detail;
  if (typeof detail === 'string') return detail;
  if (Array.isArray(detail))
    return (detail as FieldError[]).map(({ loc, msg }) => `${String(loc?.at(-1) ?? 'request')}: ${msg ?? 'is not valid'}`).join('. ');
  const message = (detail as { readonly error_message?: unknown } | undefined)?.error_message;
  return typeof message === 'string' ? message : 'No further explanation.';
}
