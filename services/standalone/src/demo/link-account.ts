import { AppError } from '@pulsewire/kernel';
import { approveAuthorization } from '@pulsewire/sandbox';
import type { ApiClient } from './api-client.ts';
import type { Person } from './people.ts';
import { scriptedSlug } from './simulation/simulated-slugs.ts';

/** Whether the user already has a connection to the provider. */
export async function isLinked(api: ApiClient, person: Person): Promise<boolean> {
  const response = await api.call<{ providers: readonly { slug: string; status: string }[] }>('GET', `/v2/user/providers/${person.userId}`);
  return response.providers.some((provider) => provider.slug === scriptedSlug && provider.status === 'connected');
}

/** Walks the authorization-code flow as an app, its user's browser and the user would. */
export async function linkAccount(api: ApiClient, person: Person, redirectUrl: string): Promise<void> {
  const { link_token: linkToken } = await api.call<{ link_token: string }>('POST', '/v2/link/token', {
    body: { user_id: person.userId, provider: scriptedSlug, redirect_url: redirectUrl },
  });
  const link = await api.call<{ oauth_url: string }>('GET', `/v2/link/provider/oauth/${scriptedSlug}`, {
    headers: { 'x-service-link-token': linkToken },
  });
  const callback = await approveAuthorization(link.oauth_url, { account: person.name });
  const response = await fetch(callback, { redirect: 'manual', signal: AbortSignal.timeout(30_000) });
  await response.body?.cancel();
  const location = response.headers.get('location') ?? '';
  if (response.status !== 307 || !location.includes('state=success')) {
    throw new AppError({
      code: 'demo_link_failed',
      kind: 'upstream',
      message: `Linking ${person.name} ended with ${response.status} ${new URL(location || redirectUrl).search}`,
    });
  }
}
