import { randomBytes } from 'node:crypto';
import { sleep } from '@pulsewire/kernel';
import { approveAuthorization, createFitbitSimulator, demoAccounts, type FitbitSimulator } from '@pulsewire/sandbox';
import { freePorts } from '../../support/free-ports.ts';
import { program } from '../../support/programs/program.ts';
import { createApiClient } from './api-client.ts';
import { Child } from './child.ts';

/** The first half of the data path: a simulated provider, and the processes that link, pull and plan. */
export interface Pipeline {
  readonly children: readonly Child[];
  /** Address of the API. */
  readonly baseUrl: string;
  readonly accounts: readonly string[];
  /** Resolves when the API responds and the provider knows where to send notifications. */
  ready(): Promise<void>;
  /** Creates a user for the account and links it; throws when the API responds with an error. */
  linkAccount(name: string): Promise<void>;
  /** Links every account and switches the provider's faults on; call it before the kills begin. */
  link(): Promise<void>;
  /** New minutes and corrections for every account, with notifications. */
  publish(): void;
  close(): Promise<void>;
}

const clientId = 'faults';
const defaultAccounts = 3;
const startMaxMs = 180_000;

/** Starts the simulator and describes the processes; the campaign starts and kills them. */
export async function createPipeline(options: {
  readonly env: Readonly<Record<string, string>>;
  readonly apiKey: string;
  readonly accounts?: number;
}): Promise<Pipeline> {
  const [port = 0] = await freePorts(1);
  const baseUrl = `http://127.0.0.1:${port}`;
  const clientSecret = randomBytes(16).toString('hex');
  const verificationCode = randomBytes(8).toString('hex');
  const simulator = await createFitbitSimulator({
    accounts: demoAccounts(options.accounts ?? defaultAccounts),
    requestsPerHour: 100_000,
    applications: [{ clientId, clientSecret, redirectUris: [`${baseUrl}/v2/link/connect/fitbit`] }],
    // So that tokens are refreshed, and refreshing is interrupted, many times in a run.
    accessTokenSeconds: 20,
  });
  const env = {
    ...options.env,
    ...providerEnv(simulator, clientSecret, verificationCode),
    LINK_TOKEN_SECRET: randomBytes(24).toString('hex'),
    HOST: '127.0.0.1',
    PORT: String(port),
  };
  const child = (name: 'api' | 'ingest' | 'scheduler') => new Child({ name, file: program(`services/${name}/src/main.ts`), env });
  const accounts = simulator.accounts.map(({ name }) => name);
  const link = (name: string) => linkAccount(baseUrl, options.apiKey, name);
  const ready = async () => {
    await waitUntilReady(`${baseUrl}/health/ready`);
    await simulator.pushes.registerPush(clientId, { callbackUrl: `${baseUrl}/v2/push/fitbit`, verificationCode });
  };
  return {
    baseUrl,
    accounts,
    ready,
    linkAccount: link,
    children: (['api', 'ingest', 'scheduler'] as const).map(child),
    async link() {
      await ready();
      for (const name of accounts) await link(name);
      simulator.faults.set({ http_500: 0.02, cut: 0.01, token_rotated_then_500: 0.1 });
    },
    publish() {
      for (const account of simulator.accounts) simulator.publish({ account: account.name, minutes: 1, revise: 2 });
    },
    close: () => simulator.close(),
  };
}

function providerEnv(simulator: FitbitSimulator, clientSecret: string, verificationCode: string): Record<string, string> {
  return {
    PROVIDER_FITBIT_CLIENT_ID: clientId,
    PROVIDER_FITBIT_CLIENT_SECRET: clientSecret,
    PROVIDER_FITBIT_PUSH_VERIFICATION_CODE: verificationCode,
    PROVIDER_FITBIT_API_BASE_URL: simulator.endpoints.apiBaseUrl,
    PROVIDER_FITBIT_AUTHORIZE_URL: simulator.endpoints.authorizeUrl,
    PROVIDER_FITBIT_TOKEN_URL: simulator.endpoints.tokenUrl,
    PROVIDER_FITBIT_REVOKE_URL: simulator.endpoints.revokeUrl,
  };
}

async function linkAccount(baseUrl: string, apiKey: string, name: string): Promise<void> {
  const api = createApiClient(baseUrl, apiKey);
  // The response to a duplicate name contains the existing user, which an earlier attempt created.
  const user = await api.ask<{ user_id?: string; detail?: { user_id?: string } }>('POST', '/v2/user', { client_user_id: name }, [400]);
  const token = await api.ask<{ link_token: string }>('POST', '/v2/link/token', { user_id: user.user_id ?? user.detail?.user_id });
  const link = await api.ask<{ oauth_url: string }>('GET', '/v2/link/provider/oauth/fitbit', undefined, [], token.link_token);
  const callback = await approveAuthorization(link.oauth_url, { account: name });
  const response = await fetch(callback, { redirect: 'manual', signal: AbortSignal.timeout(10_000) });
  if (response.status >= 400) throw new Error(`The callback returned ${response.status}: ${await response.text()}`);
}

async function waitUntilReady(url: string): Promise<void> {
  for (let waitedMs = 0; waitedMs < startMaxMs; waitedMs += 100) {
    if ((await fetch(url, { signal: AbortSignal.timeout(5000) }).catch(() => null))?.ok) return;
    await sleep(100);
  }
  throw new Error(`${url} does not respond`);
}
