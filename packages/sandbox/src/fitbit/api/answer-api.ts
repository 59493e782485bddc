import { sleep } from '@pulsewire/kernel';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { unitsOf } from '../data/units.ts';
import { FitbitError } from '../errors.ts';
import type { FaultKind } from '../../kit/faults.ts';
import { bearerToken } from '../oauth/client-auth.ts';
import type { SimulatorParts } from '../parts.ts';
import { quotaHeaders } from '../quota.ts';
import { tearJson, withBrokenItem } from '../../kit/http/malformed.ts';
import { matchRoute, type RouteMatch } from './routes.ts';
import { sendCut } from '../../kit/http/send-cut.ts';
import type { ApiAnswer, ApiCall } from './types.ts';

/** Any request below `/1`, `/1.1` or `/1.2`: token, quota, path, scope, faults, answer, in this order. */
export async function answerApi(request: FastifyRequest, reply: FastifyReply, parts: SimulatorParts): Promise<FastifyReply> {
  const url = new URL(request.url, 'http://localhost');
  const match = matchRoute(request.method, url.pathname);
  const token = bearerToken(request.headers.authorization);
  const { grant } = parts.grants.authenticate(token);
  const quota = parts.quota.take(grant.clientId, grant.ownerId);
  reply.headers(quotaHeaders(quota));
  if (quota.isExceeded) {
    parts.statistics.quotaBreach();
    throw new FitbitError(429, 'rate_limited', 'Too many requests in this hour');
  }
  const call = toCall(request, url, match, grant, parts);
  const scope = match?.route.scope;
  if (!match || (scope !== undefined && !grant.scopes.includes(scope))) {
    throw match
      ? new FitbitError(403, 'insufficient_scope', `This application does not have the scope ${scope}`)
      : new FitbitError(404, 'not_found', 'No such resource');
  }

  const strikes = (fault: FaultKind) => parts.faults.strikes(fault, `${match.route.kind}:${grant.ownerId}`);
  if (strikes('slow')) await sleep(parts.faults.slowMs(), parts.closing);
  if (strikes('token_expired_early')) {
    parts.grants.expireNow(token);
    throw new FitbitError(401, 'expired_token', 'Access token expired');
  }
  if (strikes('rate_limited')) throw new FitbitError(429, 'rate_limited', 'Too many requests', { 'Retry-After': '1' });
  for (const status of [500, 502, 503] as const) if (strikes(`http_${status}`)) throw new FitbitError(status, 'system', 'Please try again');
  return send(reply, match.route.kind, match.route.respond(call), strikes, parts);
}

function toCall(request: FastifyRequest, url: URL, match: RouteMatch | undefined, grant: ApiCall['grant'], parts: SimulatorParts): ApiCall {
  const account = parts.accounts.byOwner(grant.ownerId);
  const application = parts.applications.get(grant.clientId);
  // A state file may name accounts or applications that this run was not started with.
  if (!account || !application) throw new FitbitError(401, 'invalid_token', 'Access token invalid');
  if (match && match.user !== '-' && match.user !== account.ownerId)
    throw new FitbitError(403, 'insufficient_permissions', "Another user's data");
  const subscriberId = request.headers['x-fitbit-subscriber-id'];
  return {
    account,
    application,
    grant,
    path: match?.path ?? {},
    query: url.searchParams,
    units: unitsOf(request.headers['accept-language']),
    subscriberId: typeof subscriberId === 'string' ? subscriberId : undefined,
    parts,
  };
}

function send(
  reply: FastifyReply,
  kind: string,
  answer: ApiAnswer,
  strikes: (fault: FaultKind) => boolean,
  parts: SimulatorParts,
): FastifyReply {
  reply.code(answer.status ?? 200);
  if (answer.body === undefined) return reply.send();
  if (typeof answer.body === 'string') return reply.type(answer.contentType ?? 'text/plain').send(answer.body);
  const json = JSON.stringify(strikes('malformed_item') ? withBrokenItem(answer.body) : answer.body);
  reply.type('application/json; charset=utf-8');
  if (strikes('cut')) {
    parts.statistics.request(kind, 'cut');
    return sendCut(reply, json);
  }
  return reply.send(strikes('malformed_json') ? tearJson(json) : json);
}
