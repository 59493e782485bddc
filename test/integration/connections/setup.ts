import { randomBytes } from 'node:crypto';
import { createCipher, type Database } from '@pulsewire/database';
import { noMetrics, silentLogger, systemClock, type Clock } from '@pulsewire/kernel';
import {
  createLinkSession,
  createOAuthGate,
  createTeam,
  createUser,
  completeOAuthLink,
  startOAuthLink,
  type LinkContext,
  type Team,
  type User,
} from '@pulsewire/connections';
import { findConnector } from '@pulsewire/providers';
import { createFakeProvider, type FakeProvider } from './fake-provider.ts';

export interface Stage {
  readonly context: LinkContext;
  readonly provider: FakeProvider;
  readonly team: Team;
  newUser(): Promise<User>;
  /** Walks the whole flow as a browser would; gives the id of the connection. */
  link(user: User, account?: string): Promise<string>;
  /** Up to the callback: the state and code that the provider would send. */
  prepareLink(user: User, account?: string): Promise<{ readonly token: string; readonly code: string }>;
}

/** A team, a provider and everything that linking needs, on a real database. */
export async function createStage(database: Database, overrides: Partial<LinkContext> & { readonly clock?: Clock } = {}): Promise<Stage> {
  const clock = overrides.clock ?? systemClock;
  const provider = createFakeProvider();
  const context: LinkContext = {
    database,
    clock,
    logger: silentLogger,
    metrics: noMetrics,
    cipher: createCipher(new Map([[1, randomBytes(32)]])),
    connectorFor: findConnector,
    platformApplication: () => ({ clientId: 'platform-id', clientSecret: 'platform-secret' }),
    oauth: createOAuthGate({ http: provider, clock }),
    baseUrl: () => 'https://api.test',
    linkWebUrl: () => 'https://api.test/link',
    linkTokenSecret: 'a secret of more than thirty-two characters',
    ...overrides,
  };
  const team = await createTeam(database, clock, { name: 'Team', isSandbox: false });

  const stage: Stage = {
    context,
    provider,
    team,
    newUser: () => createUser(database, team, { clientUserId: randomBytes(8).toString('hex') }, { clock, sandboxUsersMax: 50 }),
    async prepareLink(user, account = `account-${user.userId.slice(0, 8)}`) {
      const session = {
        userId: user.userId,
        provider: null,
        redirectUrl: 'https://app.test/done',
        filterOnProviders: null,
        onError: null,
        onClose: null,
      };
      const { linkToken: token } = await createLinkSession(context, user.teamId, session);
      const { oauthUrl } = await startOAuthLink(context, { token, provider: 'fitbit', teamId: user.teamId });
      return { token, code: provider.agree(oauthUrl, { account }) };
    },
    async link(user, account) {
      const { token, code } = await stage.prepareLink(user, account);
      const outcome = await completeOAuthLink(context, { provider: 'fitbit', state: token, code, error: undefined, traceId: null });
      if (outcome.state !== 'success') throw new Error(`link failed: ${outcome.errorType}`);
      return outcome.connectionId;
    },
  };
  return stage;
}
