import { randomBytes } from 'node:crypto';
import { createManualClock, noMetrics, addDays } from '@pulsewire/kernel';
import {
  completeMfa,
  completeOAuthLink,
  confirmEmailLink,
  createLinkSession,
  createProviderGate,
  createTeam,
  createUser,
  deregisterConnection,
  linkByEmail,
  linkErrorType,
  linkWithPassword,
  processDeregistrations,
  startOAuthLink,
  updateTeam,
  type LinkContext,
  type LinkOutcome,
} from '@pulsewire/connections';
import { createCipher, parseCipherKeys, type Database } from '@pulsewire/database';
import {
  dropSchedule,
  receivePush,
  openJobs,
  planConnection,
  planDuePulls,
  planHistoricalPull,
  pushSegmentOf,
  readSubscriptionSecrets,
  unsubscribe,
  type PlanContext,
} from '@pulsewire/ingest';
import { createHttpClient } from '@pulsewire/outbound';
import { createProviderHttp, withEndpoints, type Connector } from '@pulsewire/providers';
import { approveAuthorization, type SimulatedAccount, type SimulatorEntry } from '@pulsewire/sandbox';
import { compose } from '@pulsewire/service-ingest';
import { drawVersion } from '@pulsewire/store';
import { startPushReceiver } from './pushes/push-receiver.ts';
import { passCustodyTime } from './pass-custody-time.ts';
import { createRecordingLogger } from './recording-logger.ts';
import { simulatorOf, type Variant } from './variant.ts';

/** Four days after the clocks went forward in New York. */
export const startedAt = new Date('2026-03-12T16:00:00Z');
export const application = { clientId: 'CONFORM', clientSecret: 'conformance-application-secret' };
export const verificationCode = 'conformance-verification-code';

export interface Linked {
  readonly connectionId: string;
  readonly userId: string;
}

/** The course of an attempt to link. */
export interface LinkManner {
  readonly decision?: 'allow' | 'deny';
  readonly scopes?: readonly string[];
  readonly password?: string;
  readonly mfaCode?: string;
  /** For a link by e-mail. */
  readonly region?: string;
  /** The patient id that confirms a link by e-mail. */
  readonly patientId?: string;
}

/** Enough days of history for boundaries between the shortest chunks. */
function historyDays(connector: Connector, wanted: number | undefined): number {
  const chunks = connector.pulls.filter(({ lanes }) => lanes?.includes('backfill') ?? true).map(({ chunkDays }) => chunkDays);
  const days = Math.max(6, (chunks.length > 0 ? Math.min(...chunks) : 0) + 2);
  return Math.min(wanted ?? days, connector.backfillDays);
}

/** Shared by all harnesses of a file, because their common database records the key that it was encrypted with. */
const encryptionKeys = `1:${randomBytes(32).toString('base64')}`;

/**
 * The real path of one provider's data to the store: its simulator over HTTP, the connector as registered, linking, custody, the
 * composed ingest process and the edge of pushes. All of them share one clock.
 */
export async function createConformanceHarness(
  database: Database,
  registered: Connector,
  entry: SimulatorEntry,
  way: Omit<Variant, 'name'> = {},
) {
  const { slug } = registered;
  const clock = createManualClock(startedAt);
  const receiver = await startPushReceiver();
  const started = await entry.start({
    clock,
    seed: 'conformance',
    pushRetryMs: 1,
    applications: [{ ...application, redirectUris: [`http://127.0.0.1/v2/link/connect/${slug}`] }],
  });
  const simulator = simulatorOf(started, way);
  simulator.faults.setSlowMs(20);
  const connector = withEndpoints(registered.configure?.(simulator.settings) ?? registered, simulator.endpoints);
  const { logger, lines } = createRecordingLogger();
  const connectorFor = (name: string) => (name === slug ? connector : undefined);
  const providers = { connectorFor, platformApplication: () => application, pushVerificationCode: () => verificationCode };
  const cipher = createCipher(parseCipherKeys(encryptionKeys));
  const jobs = await openJobs(database);
  const plan: PlanContext = { jobs, clock, random: () => 0.5, connectorFor };
  const http = createHttpClient({ userAgent: 'test' });
  const links: LinkContext = {
    ...providers,
    connectors: [connector],
    isEnabled: () => true,
    database,
    clock,
    cipher,
    logger,
    metrics: noMetrics,
    gate: createProviderGate({ http, clock }),
    baseUrl: () => 'http://127.0.0.1',
    linkTokenSecret: 'x'.repeat(40),
    linkWebUrl: () => 'http://127.0.0.1/link',
    onConnected: (tx, connection) => planConnection(plan, tx, connection.connectionId),
  };
  const segment = pushSegmentOf(verificationCode, slug, 'platform');
  receiver.respond = (push, given) => {
    const secretsFor = async () => {
      const secrets = await readSubscriptionSecrets(database, cipher, slug);
      const subscriptionSecret = secrets.get('platform') ?? null;
      return { applications: [{ ...application, teamId: null, segment, subscriptionSecret }], verificationCode };
    };
    return receivePush({ ...links, jobs, secretsFor }, connector, push, given);
  };
  const service = await compose(
    {
      databaseUrl: database.url,
      encryptionKeys,
      concurrency: 4,
      windowDeadlineMs: 20_000,
      databaseConnectionsMax: 8,
      baseUrl: receiver.baseUrl,
    },
    // The clock of the quota does not advance during a drain, so waiting for it in the process would only take time.
    { providers, logger, metrics: noMetrics, clock, settings: { callRetryMs: 1, quotaWaitMs: 0, quotaWaitStartedMs: 0 } },
  );
  const team = await createTeam(database, clock, { name: 'Team', isSandbox: false });
  await updateTeam(database, team.teamId, { providerRawData: true });
  const days = historyDays(connector, simulator.capabilities.conformanceDays);
  const today = startedAt.toISOString().slice(0, 10);
  if (connector.push && simulator.capabilities.push?.registration === 'portal') {
    const callbackUrl = `${receiver.baseUrl}/v2/push/${slug}${connector.push.isSigned ? '' : `/${segment}`}`;
    await simulator.pushes?.registerPush(application.clientId, { callbackUrl, verificationCode });
  }

  async function passTime(ms: number): Promise<void> {
    clock.advance(ms);
    await passCustodyTime(database, ms);
  }

  async function newUser(account?: SimulatedAccount, historyDaysMax = days): Promise<string> {
    const fallbackTimeZone = simulator.capabilities.hasNoZone === true ? (account?.timeZone ?? null) : null;
    const ingestionStart = addDays(today, -Math.min(days, historyDaysMax));
    const reference = { clientUserId: randomBytes(8).toString('hex'), fallbackTimeZone, ingestionStart };
    return (await createUser(database, team, reference, { clock, sandboxUsersMax: 50 })).userId;
  }

  /** The person requests the link, has accepted an invitation of the practice, and an operator confirms. */
  async function linkAndConfirm(request: Parameters<typeof linkByEmail>[1], patientId: string): Promise<LinkOutcome> {
    const requested = await linkByEmail(links, request);
    if (requested.state === 'error') return requested;
    const { linkId, externalUserId, redirectUrl } = requested;
    if (linkId === null) throw new Error('Nothing to confirm');
    try {
      const { connectionId } = await confirmEmailLink(links, { linkId, patientId, traceId: null, isForced: true });
      return { state: 'success', connectionId, externalUserId, redirectUrl };
    } catch (error) {
      const errorType = linkErrorType(error);
      if (errorType === null) throw error;
      return { state: 'error', errorType, error: String(error), redirectUrl };
    }
  }

  async function attempt(userId: string, account: SimulatedAccount, manner: LinkManner = {}): Promise<LinkOutcome> {
    const session = { userId, provider: slug, redirectUrl: null, filterOnProviders: null, onError: null, onClose: null };
    const { linkToken: token } = await createLinkSession(links, team.teamId, session);
    const about = { token, teamId: team.teamId, provider: slug, traceId: null };
    const { username, password, region, mfaCode } = account.credentials;
    if (connector.email) {
      const request = { ...about, email: account.email, region: manner.region ?? region };
      return linkAndConfirm(request, manner.patientId ?? account.providerUserId);
    }
    if (connector.password) {
      const outcome = await linkWithPassword(links, { ...about, username, password: manner.password ?? password, region });
      if (outcome.state !== 'pending_provider_mfa') return outcome;
      return completeMfa(links, { ...about, code: manner.mfaCode ?? mfaCode ?? '' });
    }
    const { oauthUrl } = await startOAuthLink(links, about);
    const { decision, scopes } = manner;
    const approval = { account: account.name, ...(decision && { decision }), ...(scopes && { scopes }) };
    const callback = new URL(await approveAuthorization(oauthUrl, approval)).searchParams;
    const query = (name: string) => callback.get(name) ?? undefined;
    const outcome = await completeOAuthLink(links, {
      provider: slug,
      state: query('state'),
      code: query('code'),
      error: query('error'),
      scope: query('scope'),
      traceId: null,
    });
    if (outcome.state === 'pending_confirmation') throw new Error('A flow of the API asks for no confirmation');
    return outcome;
  }

  return {
    clock,
    connector,
    simulator,
    days,
    today,
    /** Log lines of linking, custody, pushes and pulls. */
    lines,
    newUser,
    attempt,
    async link(account: SimulatedAccount, manner: LinkManner = {}, historyDaysMax = days): Promise<Linked> {
      const userId = await newUser(account, historyDaysMax);
      const outcome = await attempt(userId, account, manner);
      if (outcome.state !== 'success') throw new Error(`Not linked: ${JSON.stringify(outcome)}`);
      return { connectionId: outcome.connectionId, userId };
    },
    /** Retries like a person would while the provider fails, until the link succeeds; for a new user unless one is named. */
    async linkPatiently(
      account: SimulatedAccount,
      options: { readonly userId?: string; readonly historyDaysMax?: number } = {},
    ): Promise<Linked> {
      const userId = options.userId ?? (await newUser(account, options.historyDaysMax));
      for (let tries = 1; ; tries++) {
        const outcome = await attempt(userId, account);
        if (outcome.state === 'success') return { connectionId: outcome.connectionId, userId };
        if (tries >= 30 || outcome.state !== 'error' || outcome.errorType !== 'provider_api_error')
          throw new Error(`Not linked: ${JSON.stringify(outcome)}`);
      }
    },
    drain: () => service.drain(),
    /** Drains, and advances the clock by hours of quota until no window is open. */
    async drainAll(): Promise<void> {
      for (let hours = 0; hours < 48; hours++) {
        await service.drain();
        const open = await database.sql`
          SELECT 1 FROM pull_windows w JOIN connections c USING (connection_id)
          WHERE w.state IN ('planned', 'running', 'failed') AND c.provider = ${slug} AND c.status = 'connected' LIMIT 1`;
        if (open.length === 0) return;
        await passTime(3_600_000);
      }
      throw new Error('Still open windows');
    },
    /** Lets time pass without a poll. */
    passTime,
    /** Plans the pulls that are due after this time; by default every connection has a poll due. */
    async poll(afterMs = Math.max(3 * 3_600_000, connector.pollEveryMs ?? 0)): Promise<void> {
      await passTime(afterMs);
      await planDuePulls({ ...plan, database, logger });
    },
    readAgain: (connectionId: string) => database.transaction((tx) => planHistoricalPull(plan, tx, connectionId)),
    async deregister(userId: string): Promise<void> {
      const onDeregistered: LinkContext['onDeregistered'] = (tx, connection) => dropSchedule(tx, connection.connectionId);
      await deregisterConnection(database, { clock, onDeregistered }, { teamId: team.teamId, userId, provider: slug });
      const httpFor: Parameters<typeof unsubscribe>[0]['httpFor'] = ({ accessToken, account, signal }) =>
        createProviderHttp({
          http,
          endpoints: connector.endpoints,
          accessToken,
          account,
          connector,
          clock,
          signal,
          drawVersion: () => drawVersion(database),
        });
      await processDeregistrations(links, {
        limit: 10,
        signal: AbortSignal.timeout(20_000),
        cleanUpProvider: (gone, accessToken, signal) => unsubscribe({ connectorFor, httpFor }, gone, accessToken, signal),
      });
    },
    /** Every secret that must never be readable: of the application, of accounts, of connections. */
    async secrets(): Promise<readonly string[]> {
      const rows = await database.sql<{ connection_id: string; access_token: Buffer; refresh_token: Buffer | null }[]>`
        SELECT connection_id, access_token, refresh_token FROM connection_tokens JOIN connections USING (connection_id)
        WHERE provider = ${slug}`;
      const tokens = rows.flatMap(({ connection_id: id, access_token: access, refresh_token: refresh }) =>
        [access, refresh].flatMap((sealed) => (sealed === null ? [] : [cipher.open(sealed, `connection:${id}`)])),
      );
      const passwords = simulator.accounts.map(({ credentials }) => credentials.password);
      return [application.clientSecret, verificationCode, segment, ...tokens, ...passwords].filter((text) => text.length > 5);
    },
    async close(): Promise<void> {
      await service.close();
      await jobs.close();
      http.close();
      await simulator.close();
      receiver.close();
    },
  };
}

export type ConformanceHarness = Awaited<ReturnType<typeof createConformanceHarness>>;
