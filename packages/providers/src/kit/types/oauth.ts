import type { LoginHttp } from './http.ts';

/** An OAuth application at a provider: the team's own or the platform's. */
export interface OAuthApplication {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Tokens as a provider hands them out. Never logged. */
export interface TokenSet {
  readonly accessToken: string;
  /** The renewal: what brings the next access token. Null: there is none. */
  readonly refreshToken: string | null;
  /** null: does not expire. */
  readonly expiresAt: Date | null;
  /** null when the answer does not say. */
  readonly scopes: readonly string[] | null;
  /** The user's id at the provider where the token answer carries it. */
  readonly providerUserId: string | null;
}

/** What came of a refresh. */
export type RefreshOutcome =
  | { readonly outcome: 'refreshed'; readonly tokens: TokenSet }
  /** The refresh token is dead, and with it the consent. */
  | { readonly outcome: 'revoked' }
  /** Kept credentials were refused. Final: only the user can go on. Otherwise it is tried again, seldom, and the third refusal ends the connection. */
  | {
      readonly outcome: 'refused';
      readonly errorType: 'provider_credential_error' | 'provider_password_expired';
      readonly isFinal: boolean;
    }
  | {
      readonly outcome: 'unclear';
      readonly retryable: boolean;
      readonly retryAfterMs?: number;
      /** A stable word for logs: the provider's own OAuth error, `http_<status>`, or the failure's code. */
      readonly reason: string;
    };

/** A consent to be taken back. */
export interface RevocationCall {
  readonly http: LoginHttp;
  readonly application: OAuthApplication;
  readonly accessToken: string;
  readonly refreshToken: string | null;
  readonly providerUserId: string | null;
  /** `endpoints.revokeUrl`, for a way that lies elsewhere than below the API. */
  readonly revokeUrl: string | null;
}

type Fields = Readonly<Record<string, string>>;

/** OAuth 2.0 authorization code, with the variations of the auth matrix. */
export interface OAuthSettings {
  readonly clientAuth: 'basic' | 'body' | 'query';
  readonly pkce: 'required' | 'supported' | 'none';
  /** null: the provider takes no scopes. */
  readonly scopeSeparator: ' ' | ',' | null;
  readonly scopes: readonly string[];
  readonly refresh: 'rotates' | 'keeps' | 'none';
  /**
   * Where it is said what the user granted. Default `token`: in the token answer. `callback`: in the query of the redirect back.
   * `account`: by the API alone (`account()`); the token answer's own word for scopes means something else.
   */
  readonly grantedScopesIn?: 'token' | 'callback' | 'account';
  /** Where the token answer carries the user's id at the provider, as keys from the outside in; absent: nowhere. */
  readonly userIdPath?: readonly string[];
  /** Where in its answer the tokens stand, as keys from the outside in. Default: at the top (RFC 6749). */
  readonly tokenPath?: readonly string[];
  /** Further fields of the consent page's address, of the code exchange, and of the refresh. */
  readonly authorizeParams?: Fields;
  readonly exchangeParams?: Fields;
  readonly refreshParams?: Fields;
  /**
   * The word with which the token endpoint refused, where it does not say so as RFC 6749 does: `invalid_grant` for a code
   * or refresh token that is dead. Asked for every answer that carries no tokens, whatever its status; null: says nothing.
   */
  readTokenError?(answer: { readonly status: number; readonly body: unknown }): string | null;
  /**
   * Takes a consent back where it is not RFC 7009's form at `revokeUrl`. True when it is gone; false when there is no way.
   * Throws AppError `provider_transient` or `provider_permanent`; or `provider_token_expired` where only a living access token
   * can do it: then it is asked once more with a fresh one.
   */
  revoke?(call: RevocationCall): Promise<boolean>;
}
