import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { Compile, type Validator } from 'typebox/compile';
import { createManualClock, noMetrics, silentLogger, systemClock, type Clock, type Logger } from '@pulsewire/kernel';
import { createApiKey, createTeam, readProviderSettings, type ProviderSettingValues, type Team } from '@pulsewire/connections';
import { createCipher, type Database } from '@pulsewire/database';
import type { LabsContext } from '@pulsewire/labs';
import { createLabs } from '../../labs/support/lab-worker.ts';
import { createFillDemo } from '@pulsewire/ingest';
import { findConnector, type Connector } from '@pulsewire/providers';
import { compose, type Api, type ApiOverrides } from '@pulsewire/service-api';
import { sharedResponseCheck } from './response-check.ts';
import { createFakeProvider, type FakeProvider } from '../../connections/fake-provider.ts';

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  /** Untyped, as a client without type definitions reads it. */
  readonly body: ReturnType<JSON['parse']>;
  readonly text: string;
}

export interface Caller {
  readonly team: Team;
  readonly key: string;
  call(method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', url: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>;
}

export interface ApiHarness {
  readonly api: Api;
  readonly provider: FakeProvider;
  readonly clock: Clock & { advance(ms: number): void };
  readonly labs: LabsContext;
  /** Connections that linking passed to the planner of pulls. */
  readonly planned: string[];
  readonly dropped: string[];
  readonly pushes: { readonly provider: string; readonly body: string }[];
  newCaller(options?: { readonly isSandbox?: boolean }): Promise<Caller>;
  /** Sends a request without a key. */
  bare: Caller['call'];
  close(): Promise<void>;
}

/** A second provider, so that tests can distinguish pins, filters and foreign slugs. */
export function otherConnector(): Connector {
  return {
    ...(findConnector('fitbit') as Connector),
    slug: 'other_band',
    name: 'Other Band',
    sourceId: 999,
    sourceKind: 'device',
    push: null,
  };
}

/** An ingest that does nothing. */
export const idleIngest = {
  refresh: { plan: async () => [], read: async () => new Map() },
  fillDemo: async () => {},
  onConnected: async () => {},
  onDeregistered: async () => {},
  receivePush: async () => ({ status: 204, body: '' }),
  close: async () => {},
};

export const apiConfig = {
  host: '127.0.0.1',
  port: 0,
  databaseUrl: 'postgres://unused',
  databaseConnectionsMax: 5,
  baseUrl: 'https://api.test',
  linkWebUrl: undefined,
  encryptionKeys: `1:${randomBytes(32).toString('base64')}`,
  linkTokenSecret: 'a secret of more than thirty-two characters',
  linkTokenAloneAllowed: false,
  allowedNetworks: [],
  logDays: 30,
  trustedProxies: [],
  // Tests send more requests than any client. Tests of the limit set it themselves.
  rateLimit: 0,
  sandboxUsersMax: 50,
  samplesPerPage: 3,
};

/** Of the schemas of routes; those that are the same for every API are compiled once. */
const validators = new WeakMap<object, Validator>();

/** The composed API on a real database, with an in-memory provider; validates every response against its schema. */
export async function createApiHarness(
  database: Database,
  options: {
    readonly config?: Partial<typeof apiConfig>;
    readonly logger?: Logger;
    readonly overrides?: ApiOverrides;
    /** In addition to Fitbit and the other band. */
    readonly connectors?: readonly Connector[];
    /** Provider settings, as set by `PROVIDER_<SLUG>_ENABLED`. */
    readonly settings?: ProviderSettingValues;
  } = {},
): Promise<ApiHarness> {
  const provider = createFakeProvider();
  const clock = createManualClock(systemClock.now());
  const [planned, dropped]: [string[], string[]] = [[], []];
  const pushes: { provider: string; body: string }[] = [];
  const settings = readProviderSettings([findConnector('fitbit') as Connector, otherConnector(), ...(options.connectors ?? [])], {
    provider_fitbit_clientId: 'platform-id',
    provider_fitbit_clientSecret: 'platform-secret',
    ...options.settings,
  });
  const cipher = options.overrides?.cipher ?? createCipher(new Map([[1, randomBytes(32)]]));
  const api = await compose(
    { ...apiConfig, ...options.config },
    {
      database,
      clock,
      cipher,
      logger: options.logger ?? silentLogger,
      metrics: noMetrics,
      providers: settings,
      http: provider,
      ingest: {
        ...idleIngest,
        fillDemo: createFillDemo(settings),
        onConnected: async (_tx, { connectionId }) => void planned.push(connectionId),
        onDeregistered: async (_tx, { connectionId }) => void dropped.push(connectionId),
        receivePush: async (connector, request) => {
          pushes.push({ provider: connector.slug, body: request.body.toString() });
          return { status: 204, body: '' };
        },
      },
      onRouteResponse(route, { status, body, headers }) {
        const { schema, contentType } = route.responses[status] ?? {};
        if (schema === undefined || Buffer.isBuffer(body)) return;
        const validator = validators.get(schema) ?? Compile(schema);
        validators.set(schema, validator);
        // A body that is sent verbatim may be prebuilt JSON, or a page.
        const text =
          typeof body === 'string' && contentType === undefined && headers?.['content-type'] !== undefined ? body : JSON.stringify(body);
        const plain: unknown = JSON.parse(text);
        if (!validator.Check(plain)) throw new Error(`${route.operationId} ${status}: ${JSON.stringify(validator.Errors(plain))}`);
      },
      ...options.overrides,
    },
  );

  const kinds = (options.connectors ?? []).map(({ slug, authType }) => `${slug} ${authType}`);
  const documentKey = JSON.stringify([options.config, kinds, options.settings, Object.keys(options.overrides ?? {})]);
  const checkResponse = await sharedResponseCheck(documentKey, async () => JSON.parse((await api.app.inject('/openapi.json')).payload));
  const inject = async (
    method: Parameters<Caller['call']>[0],
    url: string,
    body: unknown,
    headers: Record<string, string>,
  ): Promise<Reply> => {
    const payload = typeof body === 'string' || body === undefined ? body : JSON.stringify(body);
    const type = payload === undefined ? {} : { 'content-type': 'application/json' };
    const response = await api.app.inject({ method, url, headers: { ...type, ...headers }, ...(payload !== undefined && { payload }) });
    const isJson = response.headers['content-type']?.toString().startsWith('application/json');
    const reply = {
      status: response.statusCode,
      headers: response.headers,
      body: isJson ? JSON.parse(response.payload) : undefined,
      text: response.payload,
    };
    checkResponse(method, url, reply.status, reply.body);
    return reply;
  };

  return {
    api,
    provider,
    clock,
    planned,
    dropped,
    pushes,
    labs: createLabs({ database, clock, cipher, partners: [] }),
    bare: (method, url, body, headers = {}) => inject(method, url, body, headers),
    async newCaller({ isSandbox = false } = {}) {
      const team = await createTeam(database, clock, { name: 'Team', isSandbox });
      const { key } = await createApiKey(database, clock, { team, label: 'test' });
      return { team, key, call: (method, url, body, headers = {}) => inject(method, url, body, { 'x-service-api-key': key, ...headers }) };
    },
    close: () => api.close(),
  };
}

/** Completes the link flow through the API as a client and a browser would. Returns the final redirect. */
export async function linkThroughApi(
  harness: ApiHarness,
  caller: Caller,
  userId: string,
  account = `acc-${userId.slice(0, 8)}`,
  scopes?: readonly string[],
): Promise<URL> {
  const token = await caller.call('POST', '/v2/link/token', { user_id: userId, redirect_url: 'https://app.test/done' });
  expect(token.status).toBe(200);
  const start = await caller.call('GET', '/v2/link/provider/oauth/fitbit', undefined, { 'x-service-link-token': token.body.link_token });
  expect(start.status).toBe(200);
  const code = harness.provider.agree(start.body.oauth_url, { account, ...(scopes && { scopes }) });
  const back = await harness.bare('GET', `/v2/link/connect/fitbit?state=${encodeURIComponent(token.body.link_token)}&code=${code}`);
  expect(back.status).toBe(307);
  return new URL(String(back.headers['location']));
}
