import { createHash, randomBytes } from 'node:crypto';
import { createBrowser, isRedirect, type Step } from '../kit/password/browser.ts';
import type { LoginHttp, LoginResponse } from '../kit/types/connector.ts';
import { JsonNode } from '../kit/values/json-node.ts';
import { readHiddenForm } from './hidden-form.ts';
import { authRegion, authUrl, type PelotonValues } from './peloton.ts';

/** The library of the login page, as it identifies itself. */
const auth0Client = Buffer.from(JSON.stringify({ name: 'auth0.js-ulp', version: '9.14.3' })).toString('base64');

/** An authorization code with its verifier, or the response at which the sign-in ended. */
export type SignIn =
  | { readonly kind: 'code'; readonly code: string; readonly verifier: string }
  /** `code`: how Peloton names the reason, where it does. */
  | { readonly kind: 'refused'; readonly code: string | null }
  | { readonly kind: 'blocked'; readonly code: string | null }
  | { readonly kind: 'unclear'; readonly response: LoginResponse };

const loginPath = '/usernamepassword/login';
/** Words of refusals that do not concern the password; the bodies of wrong ones were never published. */
const blockPattern = /too[ _-]?many|blocked|captcha|rate[ _-]?limit|suspicious|verification/i;
const codePattern = /^[\w.-]{1,64}$/;

/** A refusal of the credentials comes as JSON; a page that blocks clients does not. Null for anything else. */
function judgeRefusal({ status, body }: LoginResponse): SignIn | null {
  if (status < 400 || status > 499 || typeof body !== 'object' || body === null) return null;
  const named = [new JsonNode(body).at('code').value, new JsonNode(body).at('error').value];
  const code = named.find((value): value is string => typeof value === 'string' && codePattern.test(value)) ?? null;
  const isBlocked = status === 429 || blockPattern.test(JSON.stringify(body).slice(0, 2000));
  return { kind: isBlocked ? 'blocked' : 'refused', code };
}

const randomText = (): string => randomBytes(32).toString('base64url');

/** Signs in as the web app does: the login page, the credentials, a form that submits itself, and a redirect with a code. */
export async function signIn(
  http: LoginHttp,
  values: PelotonValues,
  { username, password }: { readonly username: string; readonly password: string },
): Promise<SignIn> {
  const { cookie, send, follow } = createBrowser(http, authRegion, authUrl);
  const verifier = randomText();
  const nonce = randomText();
  const common = {
    client_id: values.clientId,
    redirect_uri: values.redirectUri,
    scope: values.scope,
    audience: values.audience,
    response_type: 'code',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    nonce,
  };
  const requested = new URLSearchParams({ ...common, response_mode: 'query', state: randomText(), auth0Client });
  const page = await follow(await send({ method: 'GET', path: `/authorize?${requested.toString()}` }), () => false);
  // The state in the page's URL replaces ours.
  const state = new URL(page.url).searchParams.get('state');
  const csrf = cookie('_csrf', loginPath);
  if (page.response.status !== 200 || state === null || csrf === null) return { kind: 'unclear', response: page.response };

  const credentials = { ...common, tenant: values.tenant, connection: values.connection, _csrf: csrf, _intstate: 'deprecated', state };
  const headers = { origin: new URL(page.url).origin, referer: page.url, 'auth0-client': auth0Client };
  const given = await send({ method: 'POST', path: loginPath, headers, json: { ...credentials, username, password } });
  const refusal = judgeRefusal(given.response);
  if (refusal !== null) return refusal;
  const submitted = isRedirect(given.response) ? given : await submit(given);
  const { end, response } = await follow(submitted, (url) => url.searchParams.has('code') || url.searchParams.has('error'));
  const code = end?.searchParams.get('code');
  return code ? { kind: 'code', code, verifier } : { kind: 'unclear', response };

  async function submit(step: Step): Promise<Step> {
    const form = readHiddenForm(step.response.bytes.toString('utf8'));
    if (form === null) return step;
    return send({ method: 'POST', path: new URL(form.action || '/login/callback', step.url).toString(), form: form.fields });
  }
}
