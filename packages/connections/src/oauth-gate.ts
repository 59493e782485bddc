import type { Connector, OAuthApplication, RefreshOutcome, TokenSet } from '@pulsewire/providers';

interface GateCall {
  readonly connector: Connector;
  readonly application: OAuthApplication;
  readonly signal: AbortSignal;
}

/** The provider's doors as linking and custody use them; a port, so that tests need no provider. Failures are AppErrors of the kit. */
export interface OAuthGate {
  authorizeUrl(
    call: Omit<GateCall, 'signal'> & { readonly redirectUrl: string; readonly state: string; readonly codeVerifier: string | null },
  ): string;
  exchangeCode(
    call: GateCall & { readonly redirectUrl: string; readonly code: string; readonly codeVerifier: string | null },
  ): Promise<TokenSet>;
  refresh(call: GateCall & { readonly refreshToken: string }): Promise<RefreshOutcome>;
  revoke(call: GateCall & { readonly accessToken: string; readonly refreshToken: string | null }): Promise<void>;
  account(call: GateCall & { readonly accessToken: string; readonly grantedScopes: readonly string[] }): Promise<{
    readonly providerUserId: string | null;
    readonly account: Record<string, unknown>;
  }>;
}
