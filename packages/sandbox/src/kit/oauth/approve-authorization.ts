import { AppError } from '@pulsewire/kernel';

export interface Approval {
  /** Name of the account that consents. */
  readonly account: string;
  /** Scopes that stay ticked; default: all requested. */
  readonly scopes?: readonly string[];
  readonly decision?: 'allow' | 'deny';
  readonly signal?: AbortSignal;
}

/**
 * Submits the form of the authorization page as a person would. Returns the address to which the provider redirects, with the
 * code or the error in it; the caller follows it like a browser would.
 */
export async function approveAuthorization(authorizeUrl: string, approval: Approval): Promise<string> {
  const url = new URL(authorizeUrl);
  const form = new URLSearchParams(url.searchParams);
  form.set('account', approval.account);
  form.set('decision', approval.decision ?? 'allow');
  for (const scope of approval.scopes ?? (form.get('scope') ?? '').split(/[ ,]+/)) form.append('granted', scope);
  const response = await fetch(new URL(url.pathname, url.origin), {
    method: 'POST',
    body: form,
    redirect: 'manual',
    signal: approval.signal ?? AbortSignal.timeout(10_000),
  });
  await response.body?.cancel();
  const location = response.headers.get('location');
  if (response.status !== 302 || location === null) {
    throw new AppError({
      code: 'authorization_refused',
      kind: 'upstream',
      message: 'The authorization page did not redirect',
      details: { status: response.status },
    });
  }
  return location;
}
