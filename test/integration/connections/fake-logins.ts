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
  /** Passwords of users; codes of those who are asked for one. */
  readonly accounts: Map<string, { password: string; readonly code?: string }>;
  /** Tried logins, codes and renewals, as the provider got them. */
  readonly logins: Login[];
  readonly codes: string[];
  readonly renewals: string[];
  /** Answers of the next renewals instead, used up one by one. */
  readonly nextRenewals: RefreshOutcome[];
  /** What was asked as the practice: `renew` for a renewal. */
  readonly asPractice: { readonly practice: string; readonly patientId: string; readonly region: string | null }[];
  /** Answers the next call instead. */
  next: LoginOutcome | Error | null;
  /** Awaited before anything is looked at. */
  beforeAnswer: () => Promise<void>;
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
  async function answer<T>(usual: () => T): Promise<T | LoginOutcome> {
    await fake.beforeAnswer();
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
        answer(() => {
          fake.logins.push({ username, password, region });
          const account = fake.accounts.get(username);
          if (account?.password !== password) return refused('provider_credential_error');
          if (account.code === undefined) return linked(username, password, region);
          const ticket = JSON.stringify({ username, password, region });
          return { kind: 'mfa', method: 'sms', hint: '*** *** 12', ticket, expiresInMs: fake.codeLifeMs } as const;
        }),
      completeMfa: ({ ticket, code }) =>
        answer(() => {
          fake.codes.push(code);
          const { username, password, region } = JSON.parse(ticket) as Login;
          return fake.accounts.get(username)?.code === code ? linked(username, password, region) : refused('incorrect_mfa_code');
        }),
      async renew({ renewal }) {
        await fake.beforeAnswer();
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
        await fake.beforeAnswer();
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
    beforeAnswer: async () => {},
    codeLifeMs: 15 * 60_000,
  };
  return fake;
}

export { down as providerDown, refused as refusedLogin };
