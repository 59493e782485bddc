import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { sleep } from '@pulsewire/kernel';
import { approveAuthorization, createFitbitSimulator, demoAccounts, type FitbitSimulator } from '@pulsewire/sandbox';
import { freePorts } from '../support/free-ports.ts';
import { Child } from './child.ts';

/** The front half of the road: a simulated provider, and the processes that link, pull and plan. */
export interface Road {
  readonly children: readonly Child[];
  /** Links every account; to be called while nothing is killed. */
  link(): Promise<void>;
  /** New minutes and corrections for every account, with notifications. */
  publish(): void;
  close(): Promise<void>;
}

const clientId = 'faults';
const usersCount = 3;

/** Starts the simulator and describes the processes; they are started by the campaign, which also kills them. */
export async function createRoad(options: { readonly env: Readonly<Record<string, string>>; readonly apiKey: string }): Promise<Road> {
  const [port = 0] = await freePorts(1);
  const baseUrl = `http://127.0.0.1:${port}`;
  const clientSecret = randomBytes(16).toString('hex');
  const verificationCode = randomBytes(8).toString('hex');
  const simulator = await createFitbitSimulator({
    accounts: demoAccounts(usersCount),
    requestsPerHour: 100_000,
    applications: [{ clientId, clientSecret, redirectUris: [`${baseUrl}/v2/link/connect/fitbit`] }],
    // So that tokens are refreshed, and refreshing is interrupted, many times in a run.
    accessTokenLifetimeMs: 20_000,
  });
  const env = {
    ...options.env,
    ...providerEnv(simulator, clientSecret, verificationCode),
    LINK_TOKEN_SECRET: randomBytes(24).toString('hex'),
    HOST: '127.0.0.1',
    PORT: String(port),
  };
  const services = path.join(import.meta.dirname, '..', '..', 'services');
  const child = (name: string) => new Child({ name, file: path.join(services, name, 'src/main.ts'), env });
  return {
    children: ['api', 'ingest', 'scheduler'].map(child),
    async link() {
      await answering(`${baseUrl}/health/ready`);
      await simulator.registerSubscriber(clientId, { url: `${baseUrl}/v2/push/fitbit`, verificationCode });
      for (const account of simulator.accounts) await linkAccount(baseUrl, options.apiKey, account.name);
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
  const call = async <T>(method: string, target: string, headers: Record<string, string>, body?: object): Promise<T> => {
    const response = await fetch(`${baseUrl}${target}`, {
      method,
      headers: { 'x-service-api-key': apiKey, ...(body && { 'content-type': 'application/json' }), ...headers },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${target} answered ${response.status}: ${await response.text()}`);
    return (await response.json()) as T;
  };
  const user = await call<{ user_id: string }>('POST', '/v2/user', {}, { client_user_id: name });
  const token = await call<{ link_token: string }>('POST', '/v2/link/token', {}, { user_id: user.user_id });
  const link = await call<{ oauth_url: string }>('GET', '/v2/link/provider/oauth/fitbit', { 'x-service-link-token': token.link_token });
  const callback = await approveAuthorization(link.oauth_url, { account: name });
  const answer = await fetch(callback, { redirect: 'manual' });
  if (answer.status >= 400) throw new Error(`The callback answered ${answer.status}: ${await answer.text()}`);
}

async function answering(url: string): Promise<void> {
  for (let waitedMs = 0; waitedMs < 30_000; waitedMs += 100) {
    if ((await fetch(url).catch(() => null))?.ok) return;
    await sleep(100);
  }
  throw new Error(`${url} does not answer`);
}
