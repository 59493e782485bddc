import { AppError, sleep } from '@pulsewire/kernel';
import { approveAuthorization, type SimulatedAccount, type SimulatorCapabilities } from '@pulsewire/sandbox';
import type { ApiClient } from './api-client.ts';
import type { Person } from './people.ts';

/** An account at a simulated provider, to be linked for a person. */
export interface LinkWish {
  readonly slug: string;
  readonly auth: SimulatorCapabilities['auth'];
  readonly account: Pick<SimulatedAccount, 'name' | 'credentials' | 'email'>;
}

interface LinkResult {
  readonly state: string;
  readonly error_type?: string | null;
  readonly error?: string | null;
}

const confirmationMaxMs = 20_000;
const confirmationPollMs = 500;

/** Whether the user already has a connection to the provider. */
export async function isLinked(api: ApiClient, { userId }: Person, slug: string): Promise<boolean> {
  const response = await api.call<{ providers: readonly { slug: string; status: string }[] }>('GET', `/v2/user/providers/${userId}`);
  return response.providers.some((provider) => provider.slug === slug && provider.status === 'connected');
}

const failed = (slug: string, how: string) =>
  new AppError({ code: 'demo_link_failed', kind: 'upstream', message: `Linking ${slug} ended with ${how}` });

/** Walks the authorization-code flow as an app, its user's browser and the user would. */
async function linkByConsent(api: ApiClient, linkToken: string, { slug, account }: LinkWish, redirectUrl: string): Promise<void> {
  const link = await api.call<{ oauth_url: string }>('GET', `/v2/link/provider/oauth/${slug}`, {
    headers: { 'x-service-link-token': linkToken },
  });
  const callback = await approveAuthorization(link.oauth_url, { account: account.name });
  const response = await fetch(callback, { redirect: 'manual', signal: AbortSignal.timeout(30_000) });
  await response.body?.cancel();
  const location = response.headers.get('location') ?? '';
  if (response.status !== 307 || !location.includes('state=success'))
    throw failed(slug, `${response.status} ${new URL(location || redirectUrl).search}`);
}

function assertSuccess(slug: string, { state, error_type: type, error }: LinkResult): void {
  if (state !== 'success') throw failed(slug, [state, type, error].filter((part) => typeof part === 'string').join(', '));
}

/** Sends the form that asks for user name and password, and the code if the provider requires one. */
async function linkByPassword(api: ApiClient, linkToken: string, { slug, account }: LinkWish): Promise<void> {
  const { username, password, region, mfaCode } = account.credentials;
  const headers = { 'x-service-link-token': linkToken };
  const path = `/v2/link/provider/password/${slug}`;
  const result = await api.call<LinkResult>('POST', path, { headers, body: { username, password, region } });
  if (result.state !== 'pending_provider_mfa') return assertSuccess(slug, result);
  assertSuccess(slug, await api.call<LinkResult>('POST', `${path}/complete_mfa`, { headers, body: { mfa_code: mfaCode } }));
}

/** Sends the form that asks for the e-mail address, and waits until the practice has confirmed it. */
async function linkByEmail(api: ApiClient, linkToken: string, { slug, account }: LinkWish, person: Person): Promise<void> {
  const body = { email: account.email, region: account.credentials.region };
  const headers = { 'x-service-link-token': linkToken };
  const result = await api.call<LinkResult>('POST', `/v2/link/provider/email/${slug}`, { headers, body });
  if (result.state === 'error') assertSuccess(slug, result);
  const deadline = AbortSignal.timeout(confirmationMaxMs);
  while (!(await isLinked(api, person, slug))) {
    if (deadline.aborted) throw failed(slug, 'no confirmation by the practice');
    await sleep(confirmationPollMs, deadline);
  }
}

/** Links an account through the public API, in the way that its provider offers. Throws AppError `demo_link_failed`. */
export async function linkAccount(api: ApiClient, person: Person, wish: LinkWish, redirectUrl: string): Promise<void> {
  const { link_token: linkToken } = await api.call<{ link_token: string }>('POST', '/v2/link/token', {
    body: { user_id: person.userId, provider: wish.slug, redirect_url: redirectUrl },
  });
  switch (wish.auth) {
    case 'oauth':
      return linkByConsent(api, linkToken, wish, redirectUrl);
    case 'password':
      return linkByPassword(api, linkToken, wish);
    case 'email':
      return linkByEmail(api, linkToken, wish, person);
  }
}
