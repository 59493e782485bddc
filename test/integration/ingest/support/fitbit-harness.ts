import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createHmac, randomBytes } from 'node:crypto';
import { createManualClock, noMetrics, silentLogger, addDays } from '@pulsewire/kernel';
import {
  completeOAuthLink,
  connectionSealedColumns,
  createLinkSession,
  createProviderGate,
  createTeam,
  createUser,
  startOAuthLink,
  type LinkContext,
} from '@pulsewire/connections';
import { createCipher, parseCipherKeys, type Database } from '@pulsewire/database';
import { receivePush, openJobs, planConnection, type PlanContext } from '@pulsewire/ingest';
import { createHttpClient } from '@pulsewire/outbound';
import { createFitbit } from '@pulsewire/providers';
import { approveAuthorization, createFitbitSimulator, demoAccounts } from '@pulsewire/sandbox';
import { compose } from '@pulsewire/service-ingest';

const application = { clientId: 'PULSE1', clientSecret: 'application-secret' };
const verificationCode = 'handshake-code';

/**
 * The real path up to and including ingest: the Fitbit simulator over HTTP, the real connector, linking, custody and the
 * composed ingest process. The simulator and ingest share one clock.
 */
export async function createFitbitHarness(
  database: Database,
  options: {
    readonly accounts?: number;
    /** Days of history that are read for new users; all by default. */ readonly historyDays?: number;
  } = {},
) {
  const clock = createManualClock(new Date('2026-03-20T12:00:00Z'));
  let { historyDays } = options;
  const ingestionStart = () =>
    historyDays === undefined ? {} : { ingestionStart: addDays(clock.now().toISOString().slice(0, 10), -historyDays) };
  const receiver = await startPushReceiver();
  const simulator = await createFitbitSimulator({
    clock,
    applications: [{ ...application, redirectUris: ['http://127.0.0.1/v2/link/connect/fitbit'] }],
    accounts: demoAccounts(options.accounts ?? 2),
    batchMs: 1,
  });
  const connector = createFitbit(simulator.endpoints);
  const providers = { connectorFor: (slug: string) => (slug === 'fitbit' ? connector : undefined), platformApplication: () => application };
  const encryptionKeys = `1:${randomBytes(32).toString('base64')}`;
  const jobs = await openJobs(database);
  const plan: PlanContext = { jobs, clock, random: () => 0.5, connectorFor: providers.connectorFor };
  const http = createHttpClient({ userAgent: 'test' });
  const links: LinkContext = {
    ...providers,
    connectors: [connector],
    isEnabled: () => true,
    database,
    clock,
    cipher: createCipher(parseCipherKeys(encryptionKeys)),
    logger: silentLogger,
    metrics: noMetrics,
    gate: createProviderGate({ http, clock }),
    baseUrl: () => 'http://127.0.0.1',
    linkTokenSecret: 'x'.repeat(40),
    linkWebUrl: () => 'http://127.0.0.1/link',
    onConnected: (tx, connection) => planConnection(plan, tx, connection.connectionId),
  };
  const push = (raw: Push) =>
    receivePush(
      { ...links, jobs, secretsFor: async () => ({ applications: [{ ...application, teamId: null }], verificationCode }) },
      connector,
      raw,
    );
  receiver.answer = push;
  const isVerified = await simulator.pushes.registerPush(application.clientId, { callbackUrl: receiver.url, verificationCode });
  if (!isVerified) throw new Error('The simulator could not verify the push address');
  const service = await compose(
    { databaseUrl: database.url, encryptionKeys, concurrency: 4, windowDeadlineMs: 20_000, databaseConnectionsMax: 8 },
    { providers, logger: silentLogger, metrics: noMetrics, clock, settings: { callRetryMs: 1 } },
  );
  const team = await createTeam(database, clock, { name: 'Team', isSandbox: false });

  return {
    clock,
    cipher: links.cipher,
    simulator,
    plan,
    service,
    teamId: team.teamId,
    /** Receives a signed notification of the simulator's application without the HTTP server in front. */
    notify(notices: readonly object[]) {
      const body = Buffer.from(JSON.stringify(notices));
      const signature = createHmac('sha1', `${application.clientSecret}&`).update(body).digest('base64');
      return push({ method: 'POST', headers: { 'x-fitbit-signature': signature }, query: {}, body });
    },
    /** Sets how many days of history are read for users created from now on. */
    setHistoryDays: (days: number) => void (historyDays = days),
    /** Runs the whole authorization-code flow, for a new or an existing user, with all scopes or the given ones. */
    async link(
      account: string,
      known?: string,
      scopes?: readonly string[],
    ): Promise<{ readonly connectionId: string; readonly userId: string }> {
      const clientUserId = `${account}-${randomBytes(4).toString('hex')}`;
      const userId =
        known ?? (await createUser(database, team, { clientUserId, ...ingestionStart() }, { clock, sandboxUsersMax: 50 })).userId;
      const { linkToken } = await createLinkSession(links, team.teamId, {
        userId,
        provider: 'fitbit',
        redirectUrl: null,
        filterOnProviders: null,
        onError: null,
        onClose: null,
      });
      const { oauthUrl } = await startOAuthLink(links, { token: linkToken, provider: 'fitbit', teamId: team.teamId });
      const callback = new URL(await approveAuthorization(oauthUrl, { account, ...(scopes && { scopes }) }));
      const query = (name: string) => callback.searchParams.get(name) ?? undefined;
      const outcome = await completeOAuthLink(links, {
        provider: 'fitbit',
        state: query('state'),
        code: query('code'),
        error: query('error'),
        traceId: null,
      });
      if (outcome.state !== 'success') throw new Error(`Not linked: ${JSON.stringify(outcome)}`);
      return { connectionId: outcome.connectionId, userId };
    },
    /** Drains, and advances the clock by hours of quota until no window is open. Returns the hours. */
    async drainAll(hoursMax = 24): Promise<number> {
      for (let hours = 0; hours < hoursMax; hours++) {
        await service.drain();
        const [open] = await database.sql`SELECT 1 FROM pull_windows WHERE state IN ('planned', 'running', 'failed') LIMIT 1`;
        if (!open) return hours;
        clock.advance(3_600_000);
      }
      throw new Error('Still open windows');
    },
    /** Every access and refresh token that is stored now, decrypted. */
    async tokens(): Promise<readonly string[]> {
      const columns = connectionSealedColumns.filter(({ table }) => table === 'connection_tokens');
      const rows = await database.sql<{ connection_id: string; access_token: Buffer; refresh_token: Buffer | null }[]>`
        SELECT connection_id, access_token, refresh_token FROM connection_tokens`;
      return rows.flatMap((row) =>
        columns.flatMap(({ column, context }) => {
          const sealed = column === 'access_token' ? row.access_token : row.refresh_token;
          return sealed === null ? [] : [links.cipher.open(sealed, context([row.connection_id]))];
        }),
      );
    },
    async close() {
      await service.close();
      await jobs.close();
      http.close();
      await simulator.close();
      await receiver.close();
    },
  };
}

export type FitbitHarness = Awaited<ReturnType<typeof createFitbitHarness>>;

type Push = Parameters<typeof receivePush>[2];

async function startPushReceiver() {
  const receiver = { url: '', answer: async (_push: Push) => ({ status: 503, body: '' }), close: async () => {} };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const url = new URL(request.url ?? '/', 'http://127.0.0.1');
      const push = {
        method: request.method ?? 'POST',
        headers: request.headers,
        query: Object.fromEntries(url.searchParams),
        body: Buffer.concat(chunks),
      };
      receiver.answer(push).then(
        ({ status, body }) => response.writeHead(status).end(body),
        () => response.writeHead(500).end(),
      );
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/push`;
  receiver.close = async () => {
    server.closeAllConnections();
    server.close();
  };
  return receiver;
}
