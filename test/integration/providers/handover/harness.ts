import { randomBytes } from 'node:crypto';
import { createManualClock, noMetrics, silentLogger, addDays, type Logger } from '@pulsewire/kernel';
import {
  createApiKey,
  createProviderGate,
  createTeam,
  endHandedOver,
  handBackFailed,
  processDeregistrations,
  putOAuthCredential,
  readProviderSettings,
  updateTeam,
  type CustodyContext,
  type DeregistrationOptions,
} from '@pulsewire/connections';
import { createCipher, parseCipherKeys, type Database } from '@pulsewire/database';
import {
  createUnsubscribing,
  dropSchedule,
  hasReadLive,
  isBehind,
  lastDayStored,
  openJobs,
  planDuePulls,
  unsubscribe,
} from '@pulsewire/ingest';
import { createHttpClient } from '@pulsewire/outbound';
import { findConnector, withEndpoints, type Connector } from '@pulsewire/providers';
import { approveAuthorization, simulators, type ProviderSimulator } from '@pulsewire/sandbox';
import { compose as composeApi } from '@pulsewire/service-api';
import { compose as composeIngest } from '@pulsewire/service-ingest';
import { apiConfig } from '../../api/support/harness.ts';

/** Noon in Berlin, where the simulated people live. */
export const startedAt = new Date('2026-03-12T11:00:00Z');
export const today = '2026-03-12';
export const hourMs = 3_600_000;
/** Days of history that are read for a user. */
export const historyDays = 3;

const application = { clientId: 'HANDOVER', clientSecret: 'handover-application-secret' };
const slugs = ['fitbit', 'google_health', 'google_fit'] as const;
type Slug = (typeof slugs)[number];

export interface HandoverOptions {
  /** Pulls of all resources. Default: only of `usualResources`, which takes a quarter of the time. */
  readonly hasAllResources?: boolean;
}

/** Summaries and series that both providers have, and one that only one has; a division treats all resources alike. */
const usualResources = ['activity', 'sleep', 'steps', 'heartrate', 'blood_pressure', 'hrv'];

async function startProvider(slug: Slug, clock: ReturnType<typeof createManualClock>, { hasAllResources = false }: HandoverOptions) {
  const [registered, entry] = [findConnector(slug), simulators.find((one) => one.slug === slug)];
  if (!registered || !entry) throw new Error(`${slug} is not registered`);
  const redirectUris = [`${apiConfig.baseUrl}/v2/link/connect/${slug}`];
  const simulator = await entry.start({ clock, seed: 'handover', pushRetryMs: 1, applications: [{ ...application, redirectUris }] });
  const whole = withEndpoints(registered.configure?.(simulator.settings) ?? registered, simulator.endpoints);
  const pulls = whole.pulls.filter(({ resources }) => hasAllResources || resources.some((one) => usualResources.includes(one)));
  return { simulator, connector: { ...whole, pulls } };
}

/** The API and ingest as composed in production, with the simulators of the providers over HTTP; all share one clock. */
export async function createHandoverHarness(database: Database, options: HandoverOptions = {}) {
  const clock = createManualClock(startedAt);
  const [fitbit, google, googleFit] = await Promise.all([
    startProvider('fitbit', clock, options),
    startProvider('google_health', clock, options),
    startProvider('google_fit', clock, options),
  ]);
  const started = { fitbit, google_health: google, google_fit: googleFit };
  const connectors: readonly Connector[] = Object.values(started).map(({ connector }) => connector);
  const settings = slugs.flatMap((slug) => [
    [`provider_${slug}_clientId`, application.clientId],
    [`provider_${slug}_clientSecret`, application.clientSecret],
  ]);
  const providers = readProviderSettings(connectors, Object.fromEntries(settings));
  const announced: string[] = [];
  const logger: Logger = {
    ...silentLogger,
    info(facts, message) {
      if (!message.startsWith('handover.')) return;
      for (const resource of (facts as { resources: readonly string[] }).resources) announced.push(`${message} ${resource}`);
    },
  };
  const encryptionKeys = `1:${randomBytes(32).toString('base64')}`;
  const cipher = createCipher(parseCipherKeys(encryptionKeys));
  const common = { databaseUrl: database.url, encryptionKeys };
  const api = await composeApi(
    { ...apiConfig, ...common },
    { database, clock, cipher, logger: silentLogger, metrics: noMetrics, providers },
  );
  const ingest = await composeIngest(
    { ...common, concurrency: 4, windowDeadlineMs: 20_000, databaseConnectionsMax: 8 },
    { providers, logger, metrics: noMetrics, clock, settings: { callRetryMs: 1, quotaWaitMs: 0, quotaWaitStartedMs: 0 } },
  );
  const jobs = await openJobs(database);
  const plan = { jobs, clock, random: () => 0.5, connectorFor: providers.connectorFor, database, logger };
  const http = createHttpClient({ userAgent: 'test' });
  const custody: CustodyContext = {
    ...providers,
    database,
    cipher,
    clock,
    logger: silentLogger,
    metrics: noMetrics,
    gate: createProviderGate({ http, clock }),
  };
  const team = await createTeam(database, clock, { name: 'Team', isSandbox: false });
  const { key } = await createApiKey(database, clock, { team, label: 'test' });

  const localDay = () => new Date(clock.now().getTime() + hourMs).toISOString().slice(0, 10);

  async function call(method: 'GET' | 'POST' | 'DELETE', url: string, body?: object): Promise<ReturnType<JSON['parse']>> {
    const headers = { 'x-service-api-key': key, ...(body && { 'content-type': 'application/json' }) };
    const reply = await api.app.inject({ method, url, headers, ...(body && { payload: JSON.stringify(body) }) });
    if (reply.statusCode >= 300) throw new Error(`${method} ${url}: ${reply.statusCode} ${reply.payload}`);
    return JSON.parse(reply.payload);
  }

  /** Runs the flow up to the provider's redirect, with all scopes or those that are ticked. Returns the address to which the browser goes back. */
  async function agree(slug: Slug, userId: string, account: string, scopes?: readonly string[]): Promise<string> {
    const { link_token: token } = await call('POST', '/v2/link/token', { user_id: userId, redirect_url: 'https://app.test/done' });
    const start = await api.app.inject({
      method: 'GET',
      url: `/v2/link/provider/oauth/${slug}`,
      headers: { 'x-service-api-key': key, 'x-service-link-token': token },
    });
    const back = new URL(await approveAuthorization(JSON.parse(start.payload).oauth_url, { account, ...(scopes && { scopes }) }));
    return `${back.pathname}${back.search}`;
  }

  /** Goes back from the provider; returns the state with which the team's page is opened. */
  async function goBack(address: string): Promise<string | null> {
    const reply = await api.app.inject({ method: 'GET', url: address });
    return new URL(String(reply.headers['location'])).searchParams.get('state');
  }

  async function drainAll(): Promise<void> {
    for (let hours = 0; hours < 24; hours++) {
      await ingest.drain();
      const open = await database.sql`
        SELECT 1 FROM pull_windows w JOIN connections c USING (connection_id)
        WHERE w.state IN ('planned', 'running', 'failed') AND c.status = 'connected' LIMIT 1`;
      if (open.length === 0) return;
      clock.advance(hourMs);
      await database.sql`UPDATE connection_tokens SET next_refresh_at = NULL`;
    }
    throw new Error('Still open windows');
  }

  /** What another system that uses the same application would import here. */
  async function importConnection(slug: Slug, userId: string, account: { name: string; providerUserId: string }): Promise<void> {
    const { connector } = started[slug];
    await updateTeam(database, team.teamId, { bulkOperations: true });
    await putOAuthCredential(
      database,
      { cipher, clock },
      { teamId: team.teamId, provider: slug, ...application, redirectUrlOverride: null },
    );
    const redirectUri = `${apiConfig.baseUrl}/v2/link/connect/${slug}`;
    const authorize = new URL(connector.endpoints.authorizeUrl ?? '');
    const asked = { response_type: 'code', client_id: application.clientId, redirect_uri: redirectUri, state: 'elsewhere' };
    for (const [name, value] of Object.entries({ ...asked, ...connector.oauth?.authorizeParams })) authorize.searchParams.set(name, value);
    authorize.searchParams.set('scope', (connector.oauth?.scopes ?? []).join(connector.oauth?.scopeSeparator ?? ' '));
    const code = new URL(await approveAuthorization(authorize.toString(), { account: account.name })).searchParams.get('code') ?? '';
    const body = new URLSearchParams({ grant_type: 'authorization_code', code, redirect_uri: redirectUri });
    const { clientId, clientSecret } = application;
    const isBasic = connector.oauth?.clientAuth === 'basic';
    if (!isBasic) for (const [name, value] of Object.entries({ client_id: clientId, client_secret: clientSecret })) body.set(name, value);
    const headers = isBasic ? { authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}` } : {};
    const reply = await fetch(connector.endpoints.tokenUrl ?? '', { method: 'POST', headers, body });
    const tokens = (await reply.json()) as { access_token: string; refresh_token: string };
    const { access_token, refresh_token } = tokens;
    const recipe = { user_id: userId, access_token, refresh_token, provider_id: account.providerUserId, expires_at: 2_000_000_000 };
    await call('POST', '/v2/link/bulk_import', { provider: slug, connections: [recipe] });
  }

  return {
    clock,
    team,
    /** What the log says about resources that went over or returned. */
    announced,
    importConnection,
    fitbit: fitbit.simulator,
    google: google.simulator,
    /** The scopes that linking `google_health` requests. */
    googleScopes: google.connector.oauth?.scopes ?? [],
    googleFit: googleFit.simulator,
    call,
    agree,
    goBack,
    drainAll,
    /** `days`: days of history that are read for the user. */
    async newUser(days = historyDays): Promise<string> {
      const body = {
        client_user_id: randomBytes(8).toString('hex'),
        ingestion_start: addDays(localDay(), -days),
        fallback_time_zone: 'Europe/Berlin',
      };
      return (await call('POST', '/v2/user', body)).user_id;
    },
    async link(slug: Slug, userId: string, account: string, scopes?: readonly string[]): Promise<void> {
      const state = await goBack(await agree(slug, userId, account, scopes));
      if (state !== 'success') throw new Error(`Not linked: ${state}`);
    },
    /** The day in Berlin. */
    localDay,
    /** `knownDays`: how many days back the account has data. */
    addPerson(simulator: ProviderSimulator, name: string, knownDays = 8) {
      return simulator.addAccount({ name, timeZone: 'Europe/Berlin', historyDays: knownDays });
    },
    /** Advances the clock, syncs the given trackers, polls every connection and stores what they deliver. */
    async pass(ms: number, ...accounts: readonly { makeNewData(): unknown }[]): Promise<void> {
      clock.advance(ms);
      for (const account of accounts) account.makeNewData();
      await planDuePulls(plan);
      await drainAll();
    },
    /** The job that ends connections which were handed over. */
    endHandedOver(onDeregistered: DeregistrationOptions['onDeregistered'] = (tx, { connectionId }) => dropSchedule(tx, connectionId)) {
      return endHandedOver({ database, clock, connectors, hasReadLive, isBehind, onDeregistered }, 100);
    },
    /** The job that hands the days of successors in error back. */
    handBackFailed: () => handBackFailed({ database, clock, connectors, lastDayRead: lastDayStored }, 100),
    /** The job that revokes and unsubscribes removed connections at their providers. */
    async settleDeregistrations(): Promise<void> {
      const unsubscribing = createUnsubscribing(database, http, providers.connectorFor);
      await processDeregistrations(custody, {
        limit: 10,
        signal: AbortSignal.timeout(20_000),
        cleanUpProvider: (gone, accessToken, signal) => unsubscribe(unsubscribing, gone, accessToken, signal),
      });
    },
    /** Removes all connections of all users, with which nothing more is polled. */
    async disconnectAll(): Promise<void> {
      const rows = await database.sql<{ user_id: string; provider: string }[]>`SELECT user_id, provider FROM connections`;
      for (const { user_id: userId, provider } of rows) await call('DELETE', `/v2/user/${userId}/${provider}`);
    },
    async close(): Promise<void> {
      await ingest.close();
      await api.close();
      await jobs.close();
      http.close();
      await Promise.all(Object.values(started).map(({ simulator }) => simulator.close()));
    },
  };
}

export type HandoverHarness = Awaited<ReturnType<typeof createHandoverHarness>>;
