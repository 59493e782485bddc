import type {
  AccountFacts,
  AdmissionOutcome,
  Connector,
  LoginOutcome,
  OAuthApplication,
  RefreshOutcome,
  TokenSet,
} from '@pulsewire/providers';
import type { EmailConnector, OAuthConnector, PasswordConnector } from './connector-kinds.ts';

interface GateCall<C = Connector> {
  readonly connector: C;
  readonly signal: AbortSignal;
}

interface WithApplication {
  readonly application: OAuthApplication;
}

/** For tokens of any kind: an application stands behind those of OAuth, a practice behind those of links by e-mail. */
interface WithMaybeApplication {
  readonly application: OAuthApplication | null;
}

/** The provider's doors as linking and custody use them; a port, so that tests need no provider. Failures are AppErrors of the kit. */
export interface ProviderGate {
  authorizeUrl(
    call: Omit<GateCall<OAuthConnector>, 'signal'> &
      WithApplication & { readonly redirectUrl: string; readonly state: string; readonly codeVerifier: string | null },
  ): string;
  exchangeCode(
    call: GateCall<OAuthConnector> &
      WithApplication & { readonly redirectUrl: string; readonly code: string; readonly codeVerifier: string | null },
  ): Promise<TokenSet>;
  login(
    call: GateCall<PasswordConnector> & { readonly username: string; readonly password: string; readonly region: string | null },
  ): Promise<LoginOutcome>;
  completeMfa(call: GateCall<PasswordConnector> & { readonly ticket: string; readonly code: string }): Promise<LoginOutcome>;
  admit(
    call: GateCall<EmailConnector> & { readonly practice: OAuthApplication; readonly patientId: string; readonly region: string | null },
  ): Promise<AdmissionOutcome>;
  /** New tokens, in whatever way the provider gives them. `redirectUrl` is the one of the consent; some providers want to see it again. */
  refresh(
    call: GateCall &
      WithMaybeApplication & {
        readonly refreshToken: string;
        readonly redirectUrl: string | null;
        readonly account: Readonly<Record<string, unknown>>;
      },
  ): Promise<RefreshOutcome>;
  /** Does nothing where there is no call for it: a login without one is forgotten by whoever forgets its password. */
  revoke(
    call: GateCall &
      WithMaybeApplication & {
        readonly accessToken: string;
        readonly refreshToken: string | null;
        readonly providerUserId: string | null;
        /** Told of a new pair where the old one had to be renewed for it, before it is used. */
        readonly onRenewed?: (tokens: TokenSet) => Promise<void>;
      },
  ): Promise<void>;
  account(
    call: GateCall<OAuthConnector> &
      WithApplication & {
        readonly accessToken: string;
        readonly providerUserId: string | null;
        readonly grantedScopes: readonly string[];
        /** What is known of this account already. */
        readonly previous?: Readonly<Record<string, unknown>>;
      },
  ): Promise<AccountFacts>;
}
