import { JsonNode } from '../../kit/values/json-node.ts';
import type { LoginResponse, LoginHttp } from '../../kit/types/connector.ts';
import { placeUrls } from '../libreview.ts';

const redirectsMax = 3;

/** The result of a login step. Except for transport errors, it is determined by the body's `status`. */
export type Standing =
  | {
      readonly kind: 'in';
      readonly token: string;
      readonly expiresAt: Date;
      readonly userId: string;
      /** `pat`: a patient. */
      readonly accountType: string | null;
    }
  /** The user must do something first: `2faVerify`, `tou`, `pp`, `verifyEmail`. */
  | { readonly kind: 'step'; readonly step: string; readonly token: string; readonly ticketMs: number | null; readonly user: JsonNode }
  | { readonly kind: 'refused' }
  | { readonly kind: 'locked'; readonly retryAfterMs: number }
  | { readonly kind: 'elsewhere'; readonly region: string }
  | { readonly kind: 'unclear' };

const textOf = (node: JsonNode): string | null => (typeof node.value === 'string' && node.value !== '' ? node.value : null);
const numberOf = (node: JsonNode): number | null => (typeof node.value === 'number' && Number.isFinite(node.value) ? node.value : null);
const lockDefaultSeconds = 300;

/** No source shows the response for an expired password: a step with that name, or an error that says so. */
const expiredPassword = /password.*(?:expire|reset|change)|(?:expire|reset|change).*password/i;

/** When a ticket ends; null when it does not state that. Some have only a duration. */
function endOf(ticket: JsonNode, now: Date | undefined): Date | null {
  const [expires, duration] = [numberOf(ticket.at('expires')), numberOf(ticket.at('duration'))];
  if (expires !== null) return expires > 0 && expires <= 1e11 ? new Date(expires * 1000) : null;
  return now !== undefined && duration !== null && duration > 0 && duration < 1e12 ? new Date(now.getTime() + duration) : null;
}

/** Parses the response of the login or of one of its steps. `now`: tickets with only a duration are accepted. */
export function readStanding({ status, body }: Pick<LoginResponse, 'status' | 'body'>, now?: Date): Standing {
  const root = new JsonNode(body);
  const data = root.at('data');
  const verdict = root.at('status').value;
  if (verdict === 429) {
    const seconds = numberOf(data.at('data').at('lockout')) ?? lockDefaultSeconds;
    return { kind: 'locked', retryAfterMs: Math.min(Math.max(seconds, 1), 86_400) * 1000 };
  }
  if (status === 429 || status === 430 || status >= 500 || body === undefined) return { kind: 'unclear' };
  const user = data.at('user');
  const message = (textOf(root.at('error').at('message')) ?? '').slice(0, 200);
  if (expiredPassword.test(message)) return { kind: 'step', step: 'passwordExpired', token: '', ticketMs: null, user };
  if (verdict === 2) return { kind: 'refused' };
  const region = data.at('redirect').value === true ? textOf(data.at('region')) : null;
  if (verdict === 0 && region !== null) return { kind: 'elsewhere', region };
  const ticket = data.at('authTicket');
  const token = textOf(ticket.at('token'));
  const step = textOf(data.at('step').at('type'));
  if (step !== null) return { kind: 'step', step, token: token ?? '', ticketMs: numberOf(ticket.at('duration')), user };
  const [userId, expiresAt] = [textOf(user.at('id')), endOf(ticket, now)];
  if (verdict !== 0 || token === null || userId === null || expiresAt === null) return { kind: 'unclear' };
  return { kind: 'in', token, userId, expiresAt, accountType: textOf(user.at('accountType')) };
}

/** Who logs in: a follower at LibreLinkUp, or a patient at LibreView. */
export type AccountKind = 'follower' | 'patient';

/** The service where they log in. */
export const nameOf = (kind: AccountKind): string => (kind === 'patient' ? 'LibreView' : 'LibreLinkUp');

const loginPaths = { follower: '/llu/auth/login', patient: '/auth/login' } as const satisfies Record<AccountKind, string>;

/** The credentials of a login, and how to use them. */
export interface Credentials {
  readonly kind: AccountKind;
  readonly email: string;
  readonly password: string;
  readonly now: Date;
}

export interface LoginTry {
  readonly standing: Standing;
  readonly response: LoginResponse;
  /** Region that responded; null: the global address. */
  readonly place: string | null;
}

/** The user of a token, for responses without one, and with a newer token. */
export async function readUser(
  http: LoginHttp,
  place: string | null,
  token: string,
  now: Date,
): Promise<Pick<LoginTry, 'standing' | 'response'>> {
  const response = await http.send({ method: 'GET', path: '/user', region: place, headers: { authorization: `Bearer ${token}` } });
  return { standing: readStanding(response, now), response };
}

/** The token of a login that does not state whose it is. */
function bareToken({ body }: LoginResponse): string | null {
  const data = new JsonNode(body).at('data');
  return data.at('user').at('id').isMissing ? textOf(data.at('authTicket').at('token')) : null;
}

/** Logs in at a region and follows a redirect to another one. An unknown region is returned as `elsewhere`. */
export async function logIn(http: LoginHttp, first: string | null, { kind, email, password, now }: Credentials): Promise<LoginTry> {
  let place = first;
  for (let redirects = 0; ; redirects++) {
    const response = await http.send({ method: 'POST', path: loginPaths[kind], region: place, json: { email, password } });
    const standing = readStanding(response, now);
    const token = kind === 'patient' && standing.kind === 'unclear' ? bareToken(response) : null;
    if (token !== null) return { ...(await readUser(http, place, token, now)), place };
    if (standing.kind !== 'elsewhere' || !Object.hasOwn(placeUrls, standing.region)) return { standing, response, place };
    if (redirects >= redirectsMax) return { standing: { kind: 'unclear' }, response, place };
    place = standing.region;
  }
}

/** Calls a step after the login, with the token of the previous step. */
export function continueWith(http: LoginHttp, place: string | null, token: string, name: string, json: object): Promise<LoginResponse> {
  const headers = { authorization: `Bearer ${token}` };
  return http.send({ method: 'POST', path: `/auth/continue/2fa/${name}`, region: place, headers, json });
}
