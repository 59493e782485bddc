import type { Clock } from '@pulsewire/kernel';
import type { HttpClient } from '@pulsewire/outbound';
import {
  buildAuthorizeUrl,
  codeChallengeOf,
  createProviderHttp,
  exchangeCode,
  refreshTokens,
  revokeToken,
  type Connector,
} from '@pulsewire/providers';
import type { OAuthGate } from './oauth-gate.ts';

// Nothing that the gate reads is stored as a record, so no receipt needs a place in the order.
const noVersion = () => Promise.resolve(0n);

/** The gate to real providers, by the settings of each connector. */
export function createOAuthGate({ http, clock }: { readonly http: HttpClient; readonly clock: Clock }): OAuthGate {
  const settingsOf = ({ oauth, endpoints }: Connector) => ({ http, clock, settings: oauth, endpoints });
  return {
    authorizeUrl: ({ connector, application, redirectUrl, state, codeVerifier }) =>
      buildAuthorizeUrl({
        settings: connector.oauth,
        endpoints: connector.endpoints,
        application,
        redirectUri: redirectUrl,
        state,
        codeChallenge: codeVerifier === null ? null : codeChallengeOf(codeVerifier),
      }),
    exchangeCode: ({ connector, application, redirectUrl, code, codeVerifier, signal }) =>
      exchangeCode({ ...settingsOf(connector), application, redirectUri: redirectUrl, code, codeVerifier, signal }),
    refresh: ({ connector, application, refreshToken, signal }) =>
      refreshTokens({ ...settingsOf(connector), application, refreshToken, signal }),
    async revoke({ connector, application, accessToken, refreshToken, signal }) {
      await revokeToken({ ...settingsOf(connector), application, token: refreshToken ?? accessToken, signal });
    },
    account: ({ connector, accessToken, grantedScopes, signal }) =>
      connector.account({
        http: createProviderHttp({ http, endpoints: connector.endpoints, accessToken, connector, drawVersion: noVersion, signal }),
        grantedScopes,
        now: clock.now(),
      }),
  };
}
