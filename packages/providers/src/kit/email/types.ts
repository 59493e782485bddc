import type { FormField, RefusedLogin } from '../password/types.ts';
import type { LoginHttp } from '../types/http.ts';
import type { TokenSet } from '../types/oauth.ts';

export type InvitationOutcome =
  | {
      readonly kind: 'invited';
      readonly providerUserId: string | null;
      /** null: nothing of this user is secret, the application's own credentials do. */
      readonly tokens: TokenSet | null;
      readonly account: Readonly<Record<string, unknown>>;
    }
  | RefusedLogin;

/** Linking by invitation to an e-mail address (contract 6.9). */
export interface EmailSupport {
  readonly regions: readonly string[] | null;
  readonly form: readonly FormField[];
  /** Throws only what `LoginHttp` throws; every answer of the provider is an outcome. */
  invite(call: {
    readonly http: LoginHttp;
    readonly email: string;
    readonly region: string | null;
    readonly now: Date;
    readonly signal: AbortSignal;
  }): Promise<InvitationOutcome>;
}
