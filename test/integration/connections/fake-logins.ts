import { AppError } from '@pulsewire/kernel';
import {
  findConnector,
  type Connector,
  type LoginOutcome,
  type RefreshOutcome,
  type RefusedLogin,
  type TokenSet,
} from '@pulsewire/providers';

interface Login {
  readonly username: string;
  readonly password: string;
  readonly region: string | null;
}

/** Two fictional providers behind the kit's interface: `strap` with user name, password and codes, `clinic` by e-mail. */
export interface FakeLogins {
  readonly connectors: readonly Connector[];
  /** Passwords by user, with the code for those that need one. */
  readonly accounts: Map<string, { password: string; readonly code?: string }>;
  /** Attempted logins, codes and renewals, as the provider received them. */
  readonly logins: Login[];
  readonly codes: string[];
  readonly renewals: string[];
  /** Outcomes of the next renewals, each used once, instead of the default. */
  readonly nextRenewals: RefreshOutcome[];
  /** Requests made as the practice; `patientId` is `renew` for a renewal. */
  readonly asPractice: { readonly practice: string; readonly patientId: string; readonly region: string | null }[];
  /** The outcome of the next call, instead of the default. */
  next: LoginOutcome | Error | null;
  /** Awaited before a call is examined. */
  beforeResponse: () => Promise<void>;
  codeLifeMs: number;
}

const down = () => new AppError({ code: 'provider_transient', kind: 'unavailable', message: 'down', retryable: true });
const refused = (errorType: RefusedLogin['errorType']): RefusedLogin => ({
  kind: 'refused',
  errorType,
  message: `The provider said ${errorType}`,
});

export function createFakeLogins(): FakeLogins {
  let serial = 0;
  const tokensOf = (username: string, password: string): TokenSet => ({
    accessToken: `strap-${(serial += 1)}`,
    refreshToken: JSON.stringify({ username, password }),
    expiresAt: new Date(Date.now() + 3_600_000),
    scopes: null,
    providerUserId: null,
  });
  const linked = (username: string, password: string, region: string | null): LoginOutcome => ({
    kind: 'linked',
    tokens: tokensOf(username, password),
    providerUserId: `id-of-${username.toLowerCase()}`,
    account: { region },
  });
  async function response<T>(usual: () => T): Promise<T | LoginOutcome> {
    await fake.beforeResponse();
    const { next } = fake;
    fake.next = null;
    if (next instanceof Error) throw next;
    return next ?? usual();
  }
  const fitbit = findConnector('fitbit') as Connector;
  const noOAuth = { ...fitbit.endpoints, authorizeUrl: null, tokenUrl: null, revokeUrl: null };

  const strap: Connector = {
    ...fitbit,
    slug: 'strap',
    name: 'Strap',
    sourceId: 7001,
    authType: 'password',
    endpoints: noOAuth,
    push: null,
    oauth: null,
    email: null,
    password: {
      regions: ['us', 'eu'],
      form: [
        { name: 'username', label: 'User name', kind: 'text', isRequired: true },
        { name: 'password', label: 'Password', kind: 'password', isRequired: true },
      ],
      login: ({ username, password, region }) =>
        response(() => {
          fake.logins.push({ username, password, region });
          const account = fake.accounts.get(username);
          if (account?.password !== password) return refused('provider_credential_error');
          if (account.code === undefined) return linked(username, password, region);
          const ticket = JSON.stringify({ username, password, region });
          return { kind: 'mfa', method: 'sms', hint: '*** *** 12', ticket, expiresInMs: fake.codeLifeMs } as const;
        }),
      completeMfa: ({ ticket, code }) =>
        response(() => {
          fake.codes.push(code);
          const { username, password, region } = JSON.parse(ticket) as Login;
          return fake.accounts.get(username)?.code === code ? linked(username, password, region) : refused('incorrect_mfa_code');
        }),
      async renew({ renewal }) {
        await fake.beforeResponse();
        fake.renewals.push(renewal);
        const { username, password } = JSON.parse(renewal) as Login;
        const next = fake.nextRenewals.shift();
        if (next) return next;
        if (fake.accounts.get(username)?.password !== password)
          return { outcome: 'refused', errorType: 'provider_credential_error', isFinal: false };
        return { outcome: 'refreshed', tokens: tokensOf(username, password) };
      },
    },
  };
  const practiceTokens = (): TokenSet => ({ ...tokensOf('practice', ''), refreshToken: 'practice' });
  const clinic: Connector = {
    ...fitbit,
    slug: 'clinic',
    name: 'Clinic',
    sourceId: 7002,
    authType: 'email',
    endpoints: noOAuth,
    push: null,
    oauth: null,
    password: null,
    email: {
      regions: ['us'],
      form: [{ name: 'email', label: 'E-mail address', kind: 'email', isRequired: true }],
      async admit({ practice, patientId, region }) {
        await fake.beforeResponse();
        if (fake.next instanceof Error) throw fake.next;
        fake.asPractice.push({ practice: practice.clientId, patientId, region });
        if (patientId.startsWith('nobody')) return refused('provider_credential_error');
        return { kind: 'admitted', providerUserId: patientId, tokens: practiceTokens(), account: { practice: 'p1' } };
      },
      async renew({ practice }) {
        fake.asPractice.push({ practice: practice.clientId, patientId: 'renew', region: null });
        return { outcome: 'refreshed', tokens: practiceTokens() };
      },
    },
  };
  const fake: FakeLogins = {
    connectors: [strap, clinic],
    accounts: new Map([
      ['ann', { password: 'right' }],
      ['bob', { password: 'right', code: '123456' }],
    ]),
    logins: [],
    codes: [],
    renewals: [],
    nextRenewals: [],
    asPractice: [],
    next: null,
    beforeResponse: async () => {},
    codeLifeMs: 15 * 60_000,
  };
  return fake;
}

export { down as providerDown, refused as refusedLogin };
