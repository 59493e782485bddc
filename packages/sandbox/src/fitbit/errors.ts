/** An answer other than success, in the provider's own error body. Thrown by handlers, written by the server. */
export class FitbitError extends Error {
  override readonly name = 'FitbitError';
  readonly status: number;
  readonly errorType: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, errorType: string, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.status = status;
    this.errorType = errorType;
    this.headers = headers;
  }
}

/** `{"success":false,"errors":[…]}`; `errorType` is left out when it is empty. */
export function errorBody(errorType: string, message: string): object {
  return { success: false, errors: [{ ...(errorType !== '' && { errorType }), message }] };
}

/** 400 `validation`. */
export function invalid(message: string): FitbitError {
  return new FitbitError(400, 'validation', message);
}
