import { JsonNode } from '../../kit/values/json-node.ts';
import type { LoginResponse, LoginHttp } from '../../kit/types/connector.ts';
import { placeUrls } from '../libreview.ts';

const redirectsMax = 3;

/** The result of a login step. Except for transport errors, it is determined by the body's `status`. */
export type Standing =
  | { readonly kind: 'in'; readonly token: string; readonly expiresAt: Date; readonly userId: string }
  /** The user must do something first: `2faVerify`, `tou`, `pp`, `verifyEmail`. */
  | { readonly kind: 'step'; readonly step: string; readonly token: string; readonly ticketMs: number | null; readonly user: JsonNode }
  | { readonly kind: 'refused' }
  | { readonly kind: 'locked'; readonly retryAfterMs: number }
  | { readonly kind: 'elsewhere'; readonly region: string }
  | { readonly kind: 'unclear' };

const textOf = (node: JsonNode): string | null => (typeof node.value === 'string' && node.value !== '' ? node.value : null);
const numberOf = (node: JsonNode): number | null => (typeof node.value === 'number' && Number.isFinite(node.value) ? node.value : null);
const lockDefaultSeconds = 300;

/** Parses the response of the login or of one of its steps. */
export function readStanding({ status, body }: Pick<LoginResponse, 'status' | 'body'>): Standing {
  const root = new JsonNode(body);
  const data = root.at('data');
  const verdict = root.at('status').value;
  if (verdict === 429) {
    const seconds = numberOf(data.at('data').at('lockout')) ?? lockDefaultSeconds;
    return { kind: 'locked', retryAfterMs: Math.min(Math.max(seconds, 1), 86_400) * 1000 };
  }
  if (status === 429 || status >= 500 || body === undefined) return { kind: 'unclear' };
  if (verdict === 2) return { kind: 'refused' };
  const region = data.at('redirect').value === true ? textOf(data.at('region')) : null;
  if (verdict === 0 && region !== null) return { kind: 'elsewhere', region };
  const ticket = data.at('authTicket');
  const token = textOf(ticket.at('token'));
  const user = data.at('user');
  const step = textOf(data.at('step').at('type'));
  if (step !== null) return { kind: 'step', step, token: token ?? '', ticketMs: numberOf(ticket.at('duration')), user };
  const [userId, expires] = [textOf(user.at('id')), numberOf(ticket.at('expires'))];
  if (verdict !== 0 || token === null || userId === null || expires === null || expires <= 0 || expires > 1e11) return { kind: 'unclear' };
  return { kind: 'in', token, userId, expiresAt: new Date(expires * 1000) };
}

export interface LoginTry {
  readonly standing: Standing;
  readonly response: LoginResponse;
  /** Region that responded; null: the global address. */
  readonly place: string | null;
}

/** Logs in at a region and follows a redirect to another one. An unknown region is returned as `elsewhere`. */
export async function logIn(http: LoginHttp, first: string | null, email: string, password: string): Promise<LoginTry> {
  let place = first;
  for (let redirects = 0; ; redirects++) {
    const response = await http.send({
      method: 'POST',
      path: '/llu/auth/login',
      region: place,
      json: { email, password },
    });
    const standing = readStanding(response);
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
