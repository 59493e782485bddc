import type { OAuthSettings } from '../types/oauth.ts';

/** The redirect address as it is sent to the consent page: with the state in its query where the provider does not return the state. */
export function addressWithState(redirectUri: string, state: string, { losesState }: Pick<OAuthSettings, 'losesState'>): string {
  if (losesState !== true) return redirectUri;
  const url = new URL(redirectUri);
  url.searchParams.set('state', state);
  return url.toString();
}
