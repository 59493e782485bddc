import { randomBase62 } from '@pulsewire/kernel';
import type { SimAccount } from '../kit/accounts/accounts.ts';
import { hasChangedPassword } from '../kit/definition/changed-password.ts';
import type { ApiCall, ApiResponse, ApiRoute } from '../kit/definition/definition.ts';
import { invalid } from '../kit/parts/refusal.ts';
import { livesHere, regionOf, webApps } from './hosts.ts';

const attemptsMax = 5;
const lockMs = 600_000;
const sessionCookie = 'tdc.session';
const accounts = '/accounts/api';

/** What a code stands for. */
export interface Code {
  readonly name: string;
  readonly clientId: string;
  readonly redirectUri: string;
  readonly challenge: string;
}

interface Attempts {
  readonly count: number;
  readonly atMs: number;
}

export const codeKey = (code: string): string => `code ${code}`;
const sessionKey = (session: string) => `session ${session}`;

function cookieOf({ headers }: ApiCall, name: string): string {
  const pairs = String(headers['cookie'] ?? '').split('; ');
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) ?? '';
}

/** The page with the form. Its cookie is not needed later; browsers send it nevertheless. */
function page(): ApiResponse {
  const headers = { 'set-cookie': 'visitor=1; Path=/; Secure' };
  return { text: '<!DOCTYPE html><html><head><title>Sign in</title></head></html>', contentType: 'text/html', headers };
}

const wrong: ApiResponse = { status: 401, body: { code: 'account/invalid_credentials', message: 'Invalid credentials.' } };

/** The account if the password is right; after too many wrong ones in ten minutes also a right one is rejected. */
function checked(call: ApiCall, username: string, password: string): SimAccount | ApiResponse {
  const { parts } = call;
  const found = parts.accounts.byUsername(username);
  if (!found || !livesHere(call, found)) return wrong;
  const key = `attempts ${found.name}`;
  const known = parts.memory.get(key) as Attempts | undefined;
  const isRecent = known !== undefined && parts.clock.wallMs() - known.atMs < parts.clock.toWallMs(lockMs);
  const count = isRecent ? known.count : 0;
  if (count >= attemptsMax) return { status: 401, text: 'Max attempted logins exceeded' };
  if (found.password !== password || hasChangedPassword(parts, found)) {
    parts.memory.set(key, { count: count + 1, atMs: parts.clock.wallMs() } satisfies Attempts);
    return wrong;
  }
  parts.memory.delete(key);
  return found;
}

function login(call: ApiCall): ApiResponse {
  const { json, headers, parts } = call;
  const { username, password } = (json ?? {}) as { readonly username?: unknown; readonly password?: unknown };
  if (typeof username !== 'string' || typeof password !== 'string' || username === '' || password === '')
    return { status: 400, body: { message: 'Check input parameters.' } };
  if (headers['referer'] === undefined)
    return { status: 403, text: '<html><body>Web Page Blocked!</body></html>', contentType: 'text/html' };
  const account = checked(call, username, password);
  if (!('name' in account)) return account;
  const session = randomBase62(32);
  parts.memory.set(sessionKey(session), account.name);
  parts.save();
  const cookie = `${sessionCookie}=${session}; Path=/; HttpOnly; Secure; SameSite=None`;
  return { body: { redirectUrl: '/', status: 'SUCCESS' }, headers: { 'set-cookie': cookie } };
}

function redirect(location: string): ApiResponse {
  return { status: 302, headers: { location } };
}

/** Checks the request of the web application. Without a session the browser is sent to the form, with one to the next step. */
function authorize(call: ApiCall): ApiResponse {
  const { query, parts, path } = call;
  const { clientIds, redirectUri } = webApps[regionOf(call)];
  const expected = { redirect_uri: redirectUri, response_type: 'code', code_challenge_method: 'S256', scope: 'openid profile email' };
  for (const [name, value] of Object.entries(expected)) if (query.get(name) !== value) throw invalid(`${name} is wrong`);
  if (!clientIds.some((id) => id === query.get('client_id'))) throw invalid('client_id is wrong');
  if (typeof parts.memory.get(sessionKey(cookieOf(call, sessionCookie))) !== 'string') return redirect(`${parts.url()}/sso/?returnUrl=1`);
  // The second redirect is relative to the host.
  return redirect(`${path}/callback?${query.toString()}`);
}

function finish(call: ApiCall): ApiResponse {
  const { query, parts } = call;
  const name = parts.memory.get(sessionKey(cookieOf(call, sessionCookie)));
  if (typeof name !== 'string') return redirect(`${parts.url()}/sso/?returnUrl=1`);
  const code = randomBase62(40);
  const [clientId, redirectUri, challenge] = ['client_id', 'redirect_uri', 'code_challenge'].map((key) => query.get(key) ?? '');
  parts.memory.set(codeKey(code), { name, clientId, redirectUri, challenge });
  return redirect(`${redirectUri ?? ''}?${new URLSearchParams({ code, scope: 'openid profile email', iss: parts.url() }).toString()}`);
}

const open = { auth: 'open', hasFaults: true } as const;

export const loginRoutes: readonly ApiRoute[] = [
  { ...open, kind: 'login.page', method: 'GET', path: '/', respond: page },
  { ...open, kind: 'login', method: 'POST', path: `${accounts}/login`, respond: login },
  { ...open, kind: 'authorize', method: 'GET', path: `${accounts}/connect/authorize`, respond: authorize },
  { ...open, kind: 'authorize.callback', method: 'GET', path: `${accounts}/connect/authorize/callback`, respond: finish },
];
