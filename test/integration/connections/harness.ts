import { randomBytes } from 'node:crypto';
import { createCipher, type Database } from '@pulsewire/database';
import { noMetrics, silentLogger, systemClock, type Clock } from '@pulsewire/kernel';
import {
  createLinkSession,
  createProviderGate,
  createTeam,
  createUser,
  completeOAuthLink,
  startOAuthLink,
  type LinkContext,
  type NewLinkSession,
  type Team,
  type User,
} from '@pulsewire/connections';
import { findConnector, type Connector } from '@pulsewire/providers';
import { createFakeLogins, type FakeLogins } from './fake-logins.ts';
import { createFakeProvider, type FakeProvider } from './fake-provider.ts';

export interface Harness {
  readonly context: LinkContext;
  readonly provider: FakeProvider;
  /** A provider with user names and passwords, and one that is linked by e-mail. */
  readonly logins: FakeLogins;
  readonly team: Team;
  newUser(): Promise<User>;
  /** A link token for the user. */
  newToken(user: User, session?: Partial<NewLinkSession>): Promise<string>;
  /** Completes the whole flow as a browser would; returns the id of the connection. */
  link(user: User, account?: string): Promise<string>;
  /** Runs the flow up to the callback; returns the state and code that the provider would send. */
  prepareLink(user: User, account?: string): Promise<{ readonly token: string; readonly code: string }>;
}

/** A team, a provider and the dependencies of linking, on a real database. */
export async function createHarness(
  database: Database,
  overrides: Partial<LinkContext> & { readonly clock?: Clock } = {},
  options: { readonly isSandbox?: boolean } = {},
): Promise<Harness> {
  const clock = overrides.clock ?? systemClock;
  const provider = createFakeProvider();
  const logins = createFakeLogins();
  const connectors = [findConnector('fitbit') as Connector, ...logins.connectors, ...(overrides.connectors ?? [])];
  const context: LinkContext = {
    database,
    clock,
    logger: silentLogger,
    metrics: noMetrics,
    cipher: createCipher(new Map([[1, randomBytes(32)]])),
    connectorFor: (slug) => connectors.find((connector) => connector.slug === slug),
    isEnabled: () => true,
    platformApplication: () => ({ clientId: 'platform-id', clientSecret: 'platform-secret' }),
    gate: createProviderGate({ http: provider, clock }),
    baseUrl: () => 'https://api.test',
    linkWebUrl: () => 'https://api.test/link',
    linkTokenSecret: 'a secret of more than thirty-two characters',
    ...overrides,
    connectors,
  };
  const team = await createTeam(database, clock, { name: 'Team', isSandbox: options.isSandbox ?? false });

  const harness: Harness = {
    context,
    provider,
    logins,
    team,
    newUser: () => createUser(database, team, { clientUserId: randomBytes(8).toString('hex') }, { clock, sandboxUsersMax: 50 }),
    async newToken(user, session = {}) {
      const open = { userId: user.userId, provider: null, redirectUrl: null, filterOnProviders: null, onError: null, onClose: null };
      return (await createLinkSession(context, user.teamId, { ...open, ...session })).linkToken;
    },
    async prepareLink(user, account = `account-${user.userId.slice(0, 8)}`) {
      const token = await harness.newToken(user, { redirectUrl: 'https://app.test/done' });
      const { oauthUrl } = await startOAuthLink(context, { token, provider: 'fitbit', teamId: user.teamId });
      return { token, code: provider.agree(oauthUrl, { account }) };
    },
    async link(user, account) {
      const { token, code } = await harness.prepareLink(user, account);
      const outcome = await completeOAuthLink(context, { provider: 'fitbit', state: token, code, error: undefined, traceId: null });
      if (outcome.state !== 'success') throw new Error(`link failed: ${JSON.stringify(outcome)}`);
      return outcome.connectionId;
    },
  };
  return harness;
}
