import { createHash } from 'node:crypto';
import { createManualClock } from '@pulsewire/kernel';
import { createFitbitSimulator, type FitbitSimulator } from '../simulator.ts';
import { scopes, type FitbitSimulatorOptions } from '../types.ts';
import { approveAuthorization } from '../../kit/oauth/approve-authorization.ts';

export const application = {
  clientId: 'CLIENT',
  clientSecret: 'secret',
  redirectUris: ['http://127.0.0.1:1/back'],
};
export const ada = { name: 'Ada', timeZone: 'America/New_York', recordedUser: '1503960366' };

/** A Friday afternoon in New York. */
export const startedAt = new Date('2026-11-20T20:00:00Z');

interface ApiInit {
  readonly method?: string;
  readonly body?: URLSearchParams;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly expires_in: number;
  readonly scope: string;
  readonly user_id: string;
}

/** A simulator with a manual clock, and what a client of it needs. */
export async function startSimulator(options: Partial<FitbitSimulatorOptions> = {}) {
  const time = createManualClock(startedAt);
  const simulator = await createFitbitSimulator({
    applications: [application],
    accounts: [ada],
    clock: time,
    ...options,
  });
  return { simulator, time, ...clientOf(simulator) };
}

export function clientOf(simulator: FitbitSimulator) {
  const verifier = 'v'.repeat(64);
  const basic = `Basic ${Buffer.from(`${application.clientId}:${application.clientSecret}`).toString('base64')}`;

  function authorizeUrl(changed: Record<string, string> = {}): string {
    const parameters = {
      response_type: 'code',
      client_id: application.clientId,
      redirect_uri: application.redirectUris[0] as string,
      scope: scopes.join(' '),
      state: 'kept',
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      ...changed,
    };
    return `${simulator.endpoints.authorizeUrl}?${new URLSearchParams(parameters).toString()}`;
  }

  async function token(form: Record<string, string>, authorization = basic): Promise<Response> {
    return fetch(simulator.endpoints.tokenUrl, { method: 'POST', headers: { authorization }, body: new URLSearchParams(form) });
  }

  async function code(account = 'Ada', granted?: readonly string[]): Promise<string> {
    const location = await approveAuthorization(authorizeUrl(), { account, ...(granted && { scopes: granted }) });
    return new URL(location).searchParams.get('code') ?? '';
  }

  async function exchange(account = 'Ada', granted?: readonly string[]): Promise<Tokens> {
    const response = await token({
      grant_type: 'authorization_code',
      code: await code(account, granted),
      redirect_uri: application.redirectUris[0] as string,
      code_verifier: verifier,
    });
    return (await response.json()) as Tokens;
  }

  const refresh = (refreshToken: string) => token({ grant_type: 'refresh_token', refresh_token: refreshToken });
  const api = (path: string, tokens: Tokens, init: ApiInit = {}) =>
    fetch(path.startsWith('http') ? path : `${simulator.endpoints.apiBaseUrl}${path}`, {
      ...init,
      headers: { authorization: `Bearer ${tokens.access_token}`, ...init.headers },
    });
  /** The body of a successful response; the caller asserts its type. */
  const read = async <T>(path: string, tokens: Tokens, init?: ApiInit) => (await (await api(path, tokens, init)).json()) as T;

  return { authorizeUrl, token, code, exchange, refresh, api, read, verifier };
}

/** The error type of a response, if it is one. */
export async function errorTypeOf(response: Response): Promise<string | undefined> {
  return ((await response.json()) as { errors?: { errorType?: string }[] }).errors?.[0]?.errorType;
}
