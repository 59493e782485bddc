import type { LoginHttp } from './http.ts';
import type { RefreshOutcome, TokenSet } from './oauth.ts';

/** An input field of a link page. */
export interface FormField {
  readonly name: 'username' | 'password' | 'region' | 'email';
  readonly label: string;
  readonly kind: 'text' | 'email' | 'password' | 'choice';
  /** Only for `choice`. */
  readonly choices?: readonly { readonly value: string; readonly label: string }[];
  readonly isRequired: boolean;
  readonly hint?: string;
}

/** Why a login failed. */
export interface RefusedLogin {
  readonly kind: 'refused';
  readonly errorType:
    | 'provider_credential_error'
    | 'provider_password_expired'
    | 'provider_api_error'
    | 'unsupported_region'
    | 'incorrect_mfa_code';
  /** For developers; contains no user input. */
  readonly message: string;
}

export interface LinkedLogin {
  readonly kind: 'linked';
  /** `refreshToken` is what `renew` needs, in the connector's own format: a refresh token, or the credentials as JSON. Stored encrypted. */
  readonly tokens: TokenSet;
  readonly providerUserId: string | null;
  /** Facts for `authorize`, `account` and pulls, such as `region`. Never a token. */
  readonly account: Readonly<Record<string, unknown>>;
}

export type MfaMethod = 'sms' | 'email' | 'choice';

export interface MfaChoice {
  readonly value: string;
  readonly label: string;
}

/** The provider requires a verification code, or the user must choose one of several people whose data the account reads. */
export interface MfaChallenge {
  readonly kind: 'mfa';
  readonly method: MfaMethod;
  /** Where the code was sent, masked by the provider; for a choice, what to enter. */
  readonly hint: string;
  /** With the method `choice`: `completeMfa` gets the value of one. The labels are personal data. */
  readonly choices?: readonly MfaChoice[];
  /** What `completeMfa` needs; stored encrypted with the link session. */
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
 * Linking with the user's own name and password. Disabled unless the
 * operator enables the provider, because such interfaces are undocumented and using them may breach the provider's terms.
 */
export interface PasswordSupport {
  /** Regions of the provider; null: it has none. */
  readonly regions: readonly string[] | null;
  readonly form: readonly FormField[];
  /** Deadline for all calls of one login, code check or renewal together. Default 30 s for logins, 15 s for renewals. */
  readonly loginTimeoutMs?: number;
  /** Throws only what `LoginHttp` throws; every response of the provider is an outcome. */
  login(call: LoginCall): Promise<LoginOutcome>;
  /** Absent: the provider never requires a code. A wrong code that the user may correct is `incorrect_mfa_code`. */
  completeMfa?(call: {
    readonly http: LoginHttp;
    readonly ticket: string;
    readonly code: string;
    readonly now: Date;
    readonly signal: AbortSignal;
  }): Promise<LoginOutcome>;
  /**
   * Gets new tokens with the stored renewal. Never throws because of a response. `revoked` only when the refresh token is certainly
   * invalid, `refused` only when the provider reports wrong credentials; an overload, a page that blocks bots or any other response is
   * `unclear`.
   */
  renew(call: {
    readonly http: LoginHttp;
    readonly renewal: string;
    readonly account: Readonly<Record<string, unknown>>;
    readonly now: Date;
    readonly signal: AbortSignal;
  }): Promise<RefreshOutcome>;
  /**
   * Logs out at the provider when the connection ends. Absent: the provider has no such call. Throws what `LoginHttp` throws, and
   * AppError `provider_transient` or `provider_permanent`.
   */
  revoke?(call: { readonly http: LoginHttp; readonly renewal: string; readonly signal: AbortSignal }): Promise<void>;
}
