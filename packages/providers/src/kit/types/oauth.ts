import type { LoginHttp } from './http.ts';

/** An OAuth application at a provider: the team's own or the platform's. */
export interface OAuthApplication {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Tokens issued by a provider. Never logged. */
export interface TokenSet {
  readonly accessToken: string;
  /** The credential that renews the access token; null: none. */
  readonly refreshToken: string | null;
  /** null: does not expire. */
  readonly expiresAt: Date | null;
  /** null when the response does not list them. */
  readonly scopes: readonly string[] | null;
  /** The user's id at the provider, if the token response contains it. */
  readonly providerUserId: string | null;
}

/** The result of a refresh. */
export type RefreshOutcome =
  | { readonly outcome: 'refreshed'; readonly tokens: TokenSet }
  /** The refresh token, and therefore the consent, is no longer valid. */
  | { readonly outcome: 'revoked' }
  /**
   * The provider issues no tokens to this account, whatever the refresh token: the account has too many in force, or the interface is shut
   * down. It is retried at long intervals, and the third refusal ends the connection.
   */
  | { readonly outcome: 'withheld'; readonly reason: 'too_many_tokens' | 'discontinued' }
  /**
   * Stored credentials were refused. When final, the user must link again; otherwise it is retried at long intervals, and the third refusal
   * ends the connection.
   */
  | {
      readonly outcome: 'refused';
      readonly errorType: 'provider_credential_error' | 'provider_password_expired';
      readonly isFinal: boolean;
    }
  | {
      readonly outcome: 'unclear';
      readonly retryable: boolean;
      readonly retryAfterMs?: number;
      /** A stable code for logs: the provider's OAuth error, `http_<status>`, or the failure's code. */
      readonly reason: string;
    };

/** The consent to revoke. */
export interface RevocationCall {
  readonly http: LoginHttp;
  readonly application: OAuthApplication;
  readonly accessToken: string;
  readonly refreshToken: string | null;
  readonly providerUserId: string | null;
  /** `endpoints.revokeUrl`, for revocation endpoints outside the API. */
  readonly revokeUrl: string | null;
}

/** The names of the fields that RFC 6749 calls `access_token`, `refresh_token`, `expires_in` and `scope`. */
export interface TokenFieldNames {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly expiresIn: string;
  readonly scope: string;
}

type Fields = Readonly<Record<string, string>>;

/** OAuth 2.0 authorization code, with the variations that providers use. */
export interface OAuthSettings {
  readonly clientAuth: 'basic' | 'body' | 'query';
  /** Default `POST`. With `GET` every field is in the query. */
  readonly tokenMethod?: 'GET';
  readonly pkce: 'required' | 'supported' | 'none';
  /** null: the provider has no scopes. */
  readonly scopeSeparator: ' ' | ',' | null;
  readonly scopes: readonly string[];
  /** Scopes that the operator cannot leave out, because linking or renewing needs them. Absent: none. */
  readonly essentialScopes?: readonly string[];
  /** Scopes that are requested only where the operator asks for them: nobody has seen the provider grant them. Absent: none. */
  readonly optionalScopes?: readonly string[];
  /** Name of the scopes in the authorization URL. Default `scope`. */
  readonly scopeField?: string;
  readonly refresh: 'rotates' | 'keeps' | 'none';
  /**
   * Where the granted scopes are reported. Default `token`: in the token response. `callback`: in the query of the redirect.
   * `account`: only by the API (`account()`); the `scope` of the token response means something else.
   */
  readonly grantedScopesIn?: 'token' | 'callback' | 'account';
  /** Path to the user's id in the token response, outermost key first. Absent: not in the response. */
  readonly userIdPath?: readonly string[];
  /** Claim of the response's `id_token` that is the user's id. The token comes from the provider itself, so it is not verified. */
  readonly idTokenClaim?: string;
  /** Path to the tokens in the response, outermost key first. Default: the top level (RFC 6749). */
  readonly tokenPath?: readonly string[];
  /** Names of the fields of a token response, if they differ from RFC 6749. */
  readonly tokenFields?: TokenFieldNames;
  /** Name of the field with the value `refresh_token` in a refresh. Default `grant_type`. */
  readonly refreshTypeField?: string;
  /** Name of the field with the user's id, for providers that require it in a refresh. Default: not sent. */
  readonly refreshUserIdField?: string;
  /**
   * The provider does not return `state`: it also travels in the query of the redirect address, which comes back with the code. It is the same
   * link token either way, so a callback without it is accepted no more than before.
   */
  readonly losesState?: true;
  /** Additional fields of the authorization URL, the code exchange and the refresh. */
  readonly authorizeParams?: Fields;
  readonly exchangeParams?: Fields;
  readonly refreshParams?: Fields;
  /**
   * Reads the error code of a token endpoint that does not follow RFC 6749: `invalid_grant` for an invalid code or refresh
   * token, `too_many_tokens` where the account must revoke some first, `discontinued` when the interface is shut down. Called for every
   * response without tokens, whatever its status; null: no error code.
   */
  readTokenError?(response: { readonly status: number; readonly body: unknown }): string | null;
  /**
   * Revokes a consent where the provider does not follow RFC 7009. True when the consent has ended; false when it cannot be
   * revoked. Throws AppError `provider_transient` or `provider_permanent`; or `provider_token_expired` when a valid access token
   * is required: it is then called once more with a renewed one.
   */
  revoke?(call: RevocationCall): Promise<boolean>;
}
