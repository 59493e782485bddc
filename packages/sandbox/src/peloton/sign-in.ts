import { randomBase62 } from '@pulsewire/kernel';
import type { ApiResponse, ApiCall, ApiRoute } from '../kit/definition/definition.ts';
import { invalid, RefusalError } from '../kit/parts/refusal.ts';

export const clientId = 'WVoJxVDdPoFx4RNewvvg6ch2mZ7bwnsM';

const redirectUri = 'https://members.onepeloton.com/callback';
const audience = 'https://api.onepeloton.com/';

/** A sign-in in progress, by its state. */
interface Attempt {
  readonly csrf: string;
  readonly challenge: string;
  /** The client's own state; it is in the last redirect. */
  readonly clientState: string;
}

/** The sign-in that a code belongs to. */
export interface Code {
  readonly name: string;
  readonly challenge: string;
}

const attemptKey = (state: string) => `sign-in ${state}`;
export const codeKey = (code: string): string => `code ${code}`;

/** The host that a request was sent to, which is a folder here. */
const hostOf = ({ path, parts }: ApiCall, route: string) => `${parts.url()}${path.slice(0, path.length - route.length)}`;

function redirect(location: string, cookies: readonly string[] = []): ApiResponse {
  return { status: 302, headers: { location, ...(cookies.length > 0 && { 'set-cookie': cookies.join(', ') }) } };
}

function cookieOf({ headers }: ApiCall, name: string): string | undefined {
  const pairs = String(headers['cookie'] ?? '').split('; ');
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
}

/** Checks the request of the web app, and sends the browser to the login page with a state of its own. */
function authorize(call: ApiCall): ApiResponse {
  const { query, parts } = call;
  const expected = { client_id: clientId, redirect_uri: redirectUri, audience, response_type: 'code', code_challenge_method: 'S256' };
  for (const [name, value] of Object.entries(expected)) if (query.get(name) !== value) throw invalid(`${name} is wrong`);
  const [state, csrf] = [randomBase62(40), randomBase62(24)];
  const attempt: Attempt = { csrf, challenge: query.get('code_challenge') ?? '', clientState: query.get('state') ?? '' };
  parts.memory.set(attemptKey(state), attempt);
  const host = hostOf(call, '/authorize');
  const folder = new URL(host).pathname.replace(/\/$/, '');
  // The page's other forms have a cookie of the same name.
  return redirect(`${host}/login?state=${state}&client=${clientId}&protocol=oauth2`, [
    `_csrf=${csrf}; Max-Age=864000; Path=${folder}/usernamepassword/login; HttpOnly; Secure`,
    `_csrf=${randomBase62(24)}; Max-Age=864000; Path=${folder}/passwordless; HttpOnly`,
  ]);
}

/** The page carries its configuration as base64 of JSON. */
function loginPage({ query }: ApiCall): ApiResponse {
  const config = Buffer.from(JSON.stringify({ clientID: clientId, extraParams: { state: query.get('state') } })).toString('base64');
  const html = `<!DOCTYPE html><html><head><title>Log in</title></head><body><script>window.config = '${config}';</script></body></html>`;
  return { text: html, contentType: 'text/html; charset=utf-8' };
}

interface Login {
  readonly state?: string;
  readonly _csrf?: string;
  readonly username?: string;
  readonly password?: string;
  readonly connection?: string;
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&#34;');

/** Checks the password. Some accounts get a redirect, others a form that the page sends by itself. */
function login(call: ApiCall): ApiResponse {
  const { json, parts } = call;
  const { state = '', _csrf, username = '', password, connection } = (json ?? {}) as Login;
  const attempt = parts.memory.get(attemptKey(state)) as Attempt | undefined;
  if (!attempt || _csrf !== attempt.csrf || cookieOf(call, '_csrf') !== attempt.csrf) throw new RefusalError('forbidden', 'Invalid state');
  if (connection !== 'pelo-user-password') throw invalid('connection is wrong');
  const account = parts.accounts.byUsername(username);
  if (account?.password !== password || account === undefined)
    return {
      status: 401,
      body: { name: 'ValidationError', code: 'invalid_user_password', description: 'Wrong email or password.', statusCode: 401 },
    };
  const host = hostOf(call, '/usernamepassword/login');
  parts.memory.set(`signed in ${state}`, account.name);
  if (account.person.sex === 'male') return redirect(`${host}/authorize/resume?state=${state}`);
  const fields = { wa: 'wsignin1.0', wresult: `result "of" ${randomBase62(12)}`, wctx: JSON.stringify({ state, client: clientId }) };
  const inputs = Object.entries(fields).map(([name, value]) => `<input type="hidden" name="${name}" value="${escaped(value)}">`);
  const html = `<form method="post" name="hiddenform" action="${host}/login/callback">${inputs.join('')}<noscript>Go on</noscript></form>`;
  return { text: html, contentType: 'text/html; charset=utf-8' };
}

/** Receives the form; its values were escaped on the page. */
function callback(call: ApiCall): ApiResponse {
  const { form } = call;
  const isWhole = form.get('wa') === 'wsignin1.0' && (form.get('wresult') ?? '').startsWith('result "of" ');
  if (!isWhole) throw invalid('The form is incomplete');
  const { state } = JSON.parse(form.get('wctx') ?? '{}') as { readonly state?: string };
  return redirect(`${hostOf(call, '/login/callback')}/authorize/resume?state=${state ?? ''}`);
}

/** Ends the sign-in at the address of the web app, with a code. */
function resume({ query, parts }: ApiCall): ApiResponse {
  const state = query.get('state') ?? '';
  const attempt = parts.memory.get(attemptKey(state)) as Attempt | undefined;
  const name = parts.memory.get(`signed in ${state}`) as string | undefined;
  if (!attempt || name === undefined) return redirect(`${redirectUri}?error=login_required`);
  parts.memory.delete(attemptKey(state));
  parts.memory.delete(`signed in ${state}`);
  const code = randomBase62(40);
  parts.memory.set(codeKey(code), { name, challenge: attempt.challenge } satisfies Code);
  return redirect(`${redirectUri}?${new URLSearchParams({ code, state: attempt.clientState }).toString()}`);
}

/** The login of before November 2025. */
function oldLogin(): ApiResponse {
  return { status: 403, body: { status: 403, message: 'Access forbidden. Endpoint no longer accepting requests.' } };
}

const open = { auth: 'open', hasFaults: true } as const;

export const signInRoutes: readonly ApiRoute[] = [
  { ...open, kind: 'authorize', method: 'GET', path: '/authorize', respond: authorize },
  { ...open, kind: 'login.page', method: 'GET', path: '/login', respond: loginPage },
  { ...open, kind: 'login', method: 'POST', path: '/usernamepassword/login', respond: login },
  { ...open, kind: 'login.callback', method: 'POST', path: '/login/callback', respond: callback },
  { ...open, kind: 'resume', method: 'GET', path: '/authorize/resume', respond: resume },
  { ...open, kind: 'login.old', method: 'POST', path: '/auth/login', respond: oldLogin },
];
