import type { LoginHttp } from './http.ts';
import type { RefreshOutcome, TokenSet } from './oauth.ts';

/** A field that a link page must ask for. */
export interface FormField {
  readonly name: 'username' | 'password' | 'region' | 'email';
  readonly label: string;
  readonly kind: 'text' | 'email' | 'password' | 'choice';
  /** Only of a choice. */
  readonly choices?: readonly { readonly value: string; readonly label: string }[];
  readonly isRequired: boolean;
  readonly hint?: string;
}

/** Why a login came to nothing. */
export interface RefusedLogin {
  readonly kind: 'refused';
  readonly errorType:
    | 'provider_credential_error'
    | 'provider_password_expired'
    | 'provider_api_error'
    | 'unsupported_region'
    | 'incorrect_mfa_code';
  /** For developers; names no value that was typed in. */
  readonly message: string;
}

export interface LinkedLogin {
  readonly kind: 'linked';
  /** `refreshToken` is whatever `renew` needs, in a form of the connector's own: a refresh token, or JSON of the credentials. Kept encrypted. */
  readonly tokens: TokenSet;
  readonly providerUserId: string | null;
  /** Facts for `authorize`, `account` and pulls, such as `region`. Never a token. */
  readonly account: Readonly<Record<string, unknown>>;
}

/** The provider asks for a code. */
export interface MfaChallenge {
  readonly kind: 'mfa';
  readonly method: 'sms' | 'email';
  /** Where the code went, masked by the provider. */
  readonly hint: string;
  /** What `completeMfa` needs; kept encrypted with the link session. */
  readonly ticket: string;
  readonly expiresInMs: number;
}

export type LoginOutcome = LinkedLogin | MfaChallenge | RefusedLogin;

export interface LoginCall {
  readonly http: LoginHttp;
  readonly username: string;
  readonly password: string;
  /** One of `regions`, or null for the connector's own default. */
  readonly region: string | null;
  readonly now: Date;
  readonly signal: AbortSignal;
}

/**
 * Linking with the person's own user name and password. Off unless the
 * operator switches the provider on: such interfaces are undocumented, and using them may breach the provider's terms.
 */
export interface PasswordSupport {
  /** Regions that the provider knows; null: takes none. */
  readonly regions: readonly string[] | null;
  readonly form: readonly FormField[];
  /** How long a login, a code or a renewal may take at the provider, all its calls together. Default 30 s for logins, 15 s for renewals. */
  readonly loginTimeoutMs?: number;
  /** Throws only what `LoginHttp` throws; every answer of the provider is an outcome. */
  login(call: LoginCall): Promise<LoginOutcome>;
  /** Absent: the provider never asks for a code. A wrong code that may be typed again is `incorrect_mfa_code`. */
  completeMfa?(call: {
    readonly http: LoginHttp;
    readonly ticket: string;
    readonly code: string;
    readonly now: Date;
    readonly signal: AbortSignal;
  }): Promise<LoginOutcome>;
  /**
   * New tokens from what was kept. Never throws for an answer. `revoked` only for a refresh token that is surely dead, `refused` only for
   * credentials that the provider names as wrong; an overload, a page that blocks robots, or any other answer is `unclear`.
   */
  renew(call: {
    readonly http: LoginHttp;
    readonly renewal: string;
    readonly account: Readonly<Record<string, unknown>>;
    readonly now: Date;
    readonly signal: AbortSignal;
  }): Promise<RefreshOutcome>;
  /**
   * Ends the login at the provider when the connection ends here. Absent: there is no such call. Throws what `LoginHttp` throws, and
   * AppError `provider_transient` or `provider_permanent`.
   */
  revoke?(call: { readonly http: LoginHttp; readonly renewal: string; readonly signal: AbortSignal }): Promise<void>;
}
