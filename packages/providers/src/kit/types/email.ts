import type { FormField, RefusedLogin } from './password.ts';
import type { LoginHttp } from './http.ts';
import type { OAuthApplication, RefreshOutcome, TokenSet } from './oauth.ts';

/** Whether the practice may read a person's data. */
export type AdmissionOutcome =
  | {
      readonly kind: 'admitted';
      /** The person's id at the provider, as the provider itself writes it. */
      readonly providerUserId: string;
      /** The practice's own. `refreshToken` must not be null: it says that `renew` can be asked. */
      readonly tokens: TokenSet;
      /** Facts for `authorize`, `account` and pulls, such as `region`. Never a token. */
      readonly account: Readonly<Record<string, unknown>>;
    }
  | RefusedLogin;

/**
 * Linking by an e-mail address. The person gives the address of an account; a practice, which is an account of the
 * operator or of the team at the provider, invites it by the provider's own pages; an operator confirms. Then the practice reads.
 * Off unless the operator switches the provider on.
 */
export interface EmailSupport {
  /** Regions that the provider knows; null: takes none. */
  readonly regions: readonly string[] | null;
  readonly form: readonly FormField[];
  /**
   * Looks, as the practice, whether it may read this person. `practice`: the account's name and password in place of an
   * application's id and secret. Throws only what `LoginHttp` throws; every answer of the provider is an outcome.
   */
  admit(call: {
    readonly http: LoginHttp;
    readonly practice: OAuthApplication;
    readonly patientId: string;
    /** Of the person; null: not said. */
    readonly region: string | null;
    readonly now: Date;
    readonly signal: AbortSignal;
  }): Promise<AdmissionOutcome>;
  /**
   * New tokens by another login of the practice. Never throws for an answer. A refusal of the practice's password is `unclear`:
   * the operator mends it, and no person has withdrawn anything.
   */
  renew(call: {
    readonly http: LoginHttp;
    readonly practice: OAuthApplication;
    readonly account: Readonly<Record<string, unknown>>;
    readonly now: Date;
    readonly signal: AbortSignal;
  }): Promise<RefreshOutcome>;
}
