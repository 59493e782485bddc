import { AppError, errorCode, isAppError, parseRetryAfter, systemClock } from '@pulsewire/kernel';
import type { HttpClient, HttpRequest, HttpResponse } from '@pulsewire/outbound';
import { partnerRefused, partnerTimeout } from './partner-errors.ts';

const callMs = 12_000;
const retryAfterMaxMs = 3_600_000;

/** Temporary: the partner cannot serve the call now. `retryAfter` as in its response, at most an hour counts. */
export function partnerUnavailable(name: string, status: number, retryAfter: string | undefined): AppError {
  const retryAfterMs = parseRetryAfter(retryAfter, systemClock.now().getTime()) ?? 0;
  return new AppError({
    code: 'partner_unavailable',
    kind: 'unavailable',
    message: `${name} is currently unavailable`,
    details: { status },
    ...(retryAfterMs > 0 && { retryAfterMs: Math.min(retryAfterMs, retryAfterMaxMs) }),
  });
}

/** One call with a deadline. Throws AppErrors `partner_timeout` when no response arrived, `partner_refused` for one that is too large. */
export async function sendToPartner(
  http: HttpClient,
  name: string,
  request: HttpRequest & { readonly signal: AbortSignal },
): Promise<HttpResponse> {
  if (request.signal.aborted) throw partnerTimeout(request.signal.reason);
  try {
    return await http.send({ ...request, totalTimeoutMs: callMs });
  } catch (error) {
    if (isAppError(error) && errorCode(error) === 'provider_permanent') throw partnerRefused(`${name} sent a response that is too large`);
    throw partnerTimeout(error);
  }
}

/** Whether the status of a response is temporary. */
export function isTemporary(status: number): boolean {
  return status === 401 || status === 403 || status === 408 || status === 425 || status === 429 || status >= 500;
}
