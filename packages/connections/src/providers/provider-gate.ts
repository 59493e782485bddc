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

/** For any kind of token: OAuth has an application, links by e-mail have a practice, passwords have neither. */
interface WithMaybeApplication {
  readonly application: OAuthApplication | null;
}

/** The calls to providers that linking and custody make; a port, so that tests need no provider. Failures are AppErrors of the kit. */
export interface ProviderGate {
  authorizeUrl(
    call: Omit<GateCall<OAuthConnector>, 'signal'> &
      WithApplication & { readonly redirectUrl: string; readonly state: string; readonly codeVerifier: string | null },
  ): string;
  exchangeCode(
    call: GateCall<OAuthConnector> &
      WithApplication & {
        readonly redirectUrl: string;
        readonly code: string;
        readonly codeVerifier: string | null;
        readonly state?: string | null;
      },
  ): Promise<TokenSet>;
  login(
    call: GateCall<PasswordConnector> & { readonly username: string; readonly password: string; readonly region: string | null },
  ): Promise<LoginOutcome>;
  completeMfa(call: GateCall<PasswordConnector> & { readonly ticket: string; readonly code: string }): Promise<LoginOutcome>;
  admit(
    call: GateCall<EmailConnector> & { readonly practice: OAuthApplication; readonly patientId: string; readonly region: string | null },
  ): Promise<AdmissionOutcome>;
  /** New tokens, by the provider's way of renewal. `redirectUrl` is that of the consent; some providers require it again. */
  refresh(
    call: GateCall &
      WithMaybeApplication & {
        readonly refreshToken: string;
        readonly redirectUrl: string | null;
        readonly providerUserId: string | null;
        readonly account: Readonly<Record<string, unknown>>;
      },
  ): Promise<RefreshOutcome>;
  /** Does nothing where the provider has no such call: deleting a stored password ends the access. */
  revoke(
    call: GateCall &
      WithMaybeApplication & {
        readonly accessToken: string;
        readonly refreshToken: string | null;
        readonly providerUserId: string | null;
        /** Called with a new token pair before it is used, when the old pair had to be renewed first. */
        readonly onRenewed?: (tokens: TokenSet) => Promise<void>;
      },
  ): Promise<void>;
  account(
    call: GateCall<OAuthConnector> &
      WithApplication & {
        readonly accessToken: string;
        readonly providerUserId: string | null;
        readonly grantedScopes: readonly string[];
        /** What is already known about this account. */
        readonly previous?: Readonly<Record<string, unknown>>;
      },
  ): Promise<AccountFacts>;
}
