import { AppError, type Clock } from '@pulsewire/kernel';
import type { HttpClient } from '@pulsewire/outbound';
import {
  buildAuthorizeUrl,
  codeChallengeOf,
  createLoginHttp,
  createProviderHttp,
  exchangeCode,
  refreshTokens,
  revokeToken,
  type Connector,
  type RefreshOutcome,
} from '@pulsewire/providers';
import type { ProviderGate } from './provider-gate.ts';

// The gate reads no records, so its responses need no version.
const noVersion = () => Promise.resolve(0n);

/** The gate to real providers, configured by each connector. */
export function createProviderGate({ http, clock }: { readonly http: HttpClient; readonly clock: Clock }): ProviderGate {
  const loginHttp = ({ endpoints, password }: Connector, signal: AbortSignal) =>
    createLoginHttp({ http, endpoints, signal, timeoutMs: password?.loginTimeoutMs });

  function refresh(call: Parameters<ProviderGate['refresh']>[0]): Promise<RefreshOutcome> {
    const { connector, application, refreshToken, redirectUrl: redirectUri, providerUserId, account, signal } = call;
    const { oauth: settings, password, email, endpoints } = connector;
    if (email && application)
      return email.renew({ http: loginHttp(connector, signal), practice: application, account, now: clock.now(), signal });
    if (password) return password.renew({ http: loginHttp(connector, signal), renewal: refreshToken, account, now: clock.now(), signal });
    if (settings && application)
      return refreshTokens({ http, clock, settings, endpoints, application, refreshToken, redirectUri, providerUserId, signal });
    throw new AppError({ code: 'provider_without_renewal', kind: 'bug', message: 'This provider has no way to renew tokens' });
  }

  return {
    refresh,
    authorizeUrl: ({ connector, application, redirectUrl, state, codeVerifier }) =>
      buildAuthorizeUrl({
        settings: connector.oauth,
        endpoints: connector.endpoints,
        application,
        redirectUri: redirectUrl,
        state,
        codeChallenge: codeVerifier === null ? null : codeChallengeOf(codeVerifier),
      }),
    exchangeCode: ({ connector, redirectUrl: redirectUri, ...call }) =>
      exchangeCode({ ...call, http, clock, settings: connector.oauth, endpoints: connector.endpoints, redirectUri }),
    login: ({ connector, ...call }) => connector.password.login({ ...call, http: loginHttp(connector, call.signal), now: clock.now() }),
    async completeMfa({ connector, ...call }) {
      const outcome = await connector.password.completeMfa?.({ ...call, http: loginHttp(connector, call.signal), now: clock.now() });
      if (outcome) return outcome;
      throw new AppError({ code: 'provider_without_mfa', kind: 'bug', message: 'This provider never requires a code' });
    },
    admit: ({ connector, ...call }) => connector.email.admit({ ...call, http: loginHttp(connector, call.signal), now: clock.now() }),
    async revoke({ connector, application, ...call }) {
      const { oauth: settings, password, endpoints } = connector;
      const { refreshToken: renewal, signal } = call;
      if (settings && application) await revokeToken({ ...call, http, settings, endpoints, application });
      if (renewal !== null) await password?.revoke?.({ http: loginHttp(connector, signal), renewal, signal });
    },
    account({ connector, application, accessToken, providerUserId, grantedScopes, previous = {}, signal }) {
      const { endpoints, authorizesWithApplication } = connector;
      const own = authorizesWithApplication === true ? { application } : {};
      return connector.account({
        http: createProviderHttp({ http, endpoints, accessToken, connector, ...own, drawVersion: noVersion, signal, clock }),
        grantedScopes,
        providerUserId,
        previous,
        now: clock.now(),
      });
    },
  };
}
