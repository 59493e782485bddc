import type { FormField, RefusedLogin } from './password.ts';
import type { LoginHttp } from './http.ts';
import type { OAuthApplication, RefreshOutcome, TokenSet } from './oauth.ts';

/** Whether the practice may read a person's data. */
export type AdmissionOutcome =
  | {
      readonly kind: 'admitted';
      /** The person's id at the provider, as the provider itself writes it. */
      readonly providerUserId: string;
      /** The practice's own tokens. `refreshToken` must not be null: it marks the connection as renewable by `renew`. */
      readonly tokens: TokenSet;
      /** Facts for `authorize`, `account` and pulls, such as `region`. Never a token. */
      readonly account: Readonly<Record<string, unknown>>;
    }
  | RefusedLogin;

/**
 * Linking by e-mail address. The user enters the address of their account; a practice, which is the operator's or the team's
 * account at the provider, invites it on the provider's own pages; an operator confirms. The practice then reads the data.
 * Disabled unless the operator enables the provider.
 */
export interface EmailSupport {
  /** Regions of the provider; null: it has none. */
  readonly regions: readonly string[] | null;
  readonly form: readonly FormField[];
  /**
   * Checks, logged in as the practice, whether it may read this person's data. `practice` contains the account's name and
   * password as client id and secret. Throws only what `LoginHttp` throws; every response of the provider is an outcome.
   */
  admit(call: {
    readonly http: LoginHttp;
    readonly practice: OAuthApplication;
    readonly patientId: string;
    /** The person's region; null: unknown. */
    readonly region: string | null;
    readonly now: Date;
    readonly signal: AbortSignal;
  }): Promise<AdmissionOutcome>;
  /**
   * Logs the practice in again to get new tokens. Never throws because of a response. A refused practice password is `unclear`:
   * the operator must fix it, and no user has withdrawn consent.
   */
  renew(call: {
    readonly http: LoginHttp;
    readonly practice: OAuthApplication;
    readonly account: Readonly<Record<string, unknown>>;
    readonly now: Date;
    readonly signal: AbortSignal;
  }): Promise<RefreshOutcome>;
}
