import { JsonNode } from '../../kit/values/json-node.ts';
import { maskedPlace } from '../../kit/password/mask.ts';
import { refusedLogin, unclearLogin } from '../../kit/password/refused.ts';
import { readRenewal, writeRenewal } from '../../kit/password/renewal.ts';
import type { LoginHttp, LoginOutcome } from '../../kit/types/connector.ts';
import { continueWith, nameOf, readStanding, type AccountKind, type Standing } from './login.ts';
import { linked } from './linked.ts';
import type { Entry } from './linked-to.ts';
import { refusalOf } from './refusal.ts';

const codeLifeMs = 15 * 60_000;

/** Requests that the code be sent by the account's primary method, and returns the challenge. */
export async function challenge(
  http: LoginHttp,
  entry: Entry,
  { token, ticketMs, user }: Extract<Standing, { kind: 'step' }>,
): Promise<LoginOutcome> {
  const sent = await continueWith(http, entry.place, token, 'sendcode', { isPrimaryMethod: true });
  if (sent.status !== 200 || sent.body === undefined) return unclearLogin('LibreView', sent);
  const root = new JsonNode(sent.body);
  const tickets = [root.at('ticket'), root.at('data').at('ticket'), root.at('data').at('authTicket')];
  // Each step may return the token for the next one.
  const next = tickets.map((ticket) => ticket.at('token').value).find((value) => typeof value === 'string') ?? token;
  const ways = user.at('twoFactor');
  const place = ways.at('primaryValue').value;
  return {
    kind: 'mfa',
    method: ways.at('primaryMethod').value === 'phone' ? 'sms' : 'email',
    hint: typeof place === 'string' ? maskedPlace(place) : '',
    ticket: writeRenewal({ kind: entry.kind, email: entry.email, password: entry.password, place: entry.place ?? '', token: next }),
    expiresInMs: Math.min(ticketMs ?? codeLifeMs, codeLifeMs),
  };
}

/** Whose login waits for a code. */
export function kindOfTicket(ticket: string): AccountKind {
  const kept: unknown = JSON.parse(ticket);
  return typeof kept === 'object' && kept !== null && 'kind' in kept && kept.kind === 'patient' ? 'patient' : 'follower';
}

/** Submits the code. */
export async function respondToChallenge(http: LoginHttp, ticket: string, code: string, now: Date): Promise<LoginOutcome> {
  const { email, password, place, token } = readRenewal(ticket, ['email', 'password', 'place', 'token']);
  const entry: Entry = { kind: kindOfTicket(ticket), email, password, place: place === '' ? null : place };
  const response = await continueWith(http, entry.place, token, 'result', { code, isPrimaryMethod: true });
  const standing = readStanding(response, now);
  if (standing.kind === 'in') return linked(http, entry, standing);
  if (standing.kind === 'locked' || standing.kind === 'step') return refusalOf({ standing, response }, nameOf(entry.kind));
  if (response.status === 401)
    return refusedLogin('provider_credential_error', 'The login ended before the code was entered: log in again');
  if (standing.kind === 'unclear' && (response.body === undefined || response.status === 429 || response.status >= 500))
    return unclearLogin('LibreView', response);
  return refusedLogin('incorrect_mfa_code', 'LibreView rejected this code');
}
