import { sleep } from '@pulsewire/kernel';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiResponse, ApiCall, ApiRoute, SimulatorDefinition, SimulatorParts } from '../definition/definition.ts';
import type { FaultKind } from '../parts/faults.ts';
import type { QuotaState } from './quota.ts';
import type { AccountPerson } from '../person/person.ts';
import { RefusalError } from '../parts/refusal.ts';
import { tearJson, withBrokenItem } from './malformed.ts';
import { sendCut } from './send-cut.ts';

export interface RouteContext {
  readonly definition: SimulatorDefinition<AccountPerson>;
  readonly parts: SimulatorParts<AccountPerson>;
  takeQuota(key: string): QuotaState | null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function toCall(request: FastifyRequest, parts: SimulatorParts<AccountPerson>): ApiCall<AccountPerson> {
  const url = new URL(request.url, 'http://localhost');
  const text = typeof request.body === 'string' ? request.body : '';
  return {
    method: request.method,
    path: url.pathname,
    params: request.params as Record<string, string>,
    query: url.searchParams,
    headers: request.headers,
    text,
    form: new URLSearchParams(text),
    json: parseJson(text),
    parts,
  };
}

/** The token of `Authorization: Bearer`. */
export function bearerOf({ headers }: Pick<ApiCall, 'headers'>): string | null {
  return /^Bearer (\S+)$/i.exec(String(headers['authorization'] ?? ''))?.[1] ?? null;
}

/** Sends a response. */
export function sendResponse(reply: FastifyReply, response: ApiResponse): FastifyReply {
  void reply.code(response.status ?? 200).headers({ ...response.headers });
  if (response.text !== undefined) return reply.type(response.contentType ?? 'text/plain').send(response.text);
  if (response.bytes !== undefined) return reply.type(response.contentType ?? 'application/octet-stream').send(response.bytes);
  if (response.body === undefined) return reply.send();
  return reply.type(response.contentType ?? 'application/json; charset=utf-8').send(JSON.stringify(response.body));
}

async function strikeBefore(
  strikes: (fault: FaultKind) => boolean,
  { definition, parts }: RouteContext,
  accessToken: string | null,
): Promise<void> {
  if (strikes('slow')) await sleep(parts.faults.slowMs(), parts.closing);
  // Without a refresh, an expired token would end the connection.
  if (accessToken !== null && definition.capabilities.refresh && strikes('token_expired_early')) {
    parts.grants.expire({ accessToken });
    throw new RefusalError('token_expired', 'The access token has expired');
  }
  if (strikes('rate_limited')) throw new RefusalError('rate_limited', 'Too many requests', { headers: { 'retry-after': '1' } });
  for (const status of [500, 502, 503] as const)
    if (strikes(`http_${status}`)) throw new RefusalError('server_error', 'Please try again', { status });
}

function sendFaulty(
  reply: FastifyReply,
  response: ApiResponse,
  strikes: (fault: FaultKind) => boolean,
  { definition }: RouteContext,
): FastifyReply {
  if (response.text !== undefined || typeof response.body !== 'object' || response.body === null) return sendResponse(reply, response);
  const body = strikes('malformed_item') ? (definition.breakItem ?? withBrokenItem)(response.body) : response.body;
  if (strikes('cut')) return sendCut(reply, JSON.stringify(body));
  if (strikes('malformed_json')) {
    return sendResponse(reply, { ...response, body: undefined, text: tearJson(JSON.stringify(body)), contentType: 'application/json' });
  }
  return sendResponse(reply, { ...response, body });
}

/** Checks token, quota and scope, applies faults and responds, in this order. Throws `RefusalError`. */
export async function respondToRoute(
  context: RouteContext,
  route: ApiRoute<AccountPerson>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { definition, parts } = context;
  const call = toCall(request, parts);
  if (route.auth === 'open') {
    const { hasFaults = false, kind } = route;
    const strikes = (fault: FaultKind) => hasFaults !== false && parts.faults.strikes(fault, kind);
    await strikeBefore(strikes, context, null);
    const trouble = parts.troubles.responseTo(kind, call);
    if (trouble) return sendResponse(reply, trouble);
    const response = await route.respond(call);
    return hasFaults === 'before' ? sendResponse(reply, response) : sendFaulty(reply, response, strikes, context);
  }
  const accessToken = (definition.readToken ?? bearerOf)(call);
  const grant = parts.grants.authenticate(accessToken);
  const account = parts.accounts.byProviderUserId(grant.providerUserId);
  if (!account) throw new RefusalError('token_invalid', 'The account is gone');
  const quota = context.takeQuota(definition.quota?.scope === 'app' ? grant.clientId : `${grant.clientId} ${grant.providerUserId}`);
  const quotaHeaders = (quota && definition.quota?.headers?.(quota)) ?? {};
  void reply.headers(quotaHeaders);
  if (quota?.isExceeded === true) {
    parts.statistics.quotaBreach();
    throw new RefusalError('rate_limited', 'Too many requests', { headers: { 'retry-after': String(quota.resetSeconds) } });
  }
  const strikes = (fault: FaultKind) => parts.faults.strikes(fault, `${route.kind}:${grant.providerUserId}`);
  if (route.scope !== undefined && !grant.scopes.includes(route.scope))
    throw new RefusalError('scope_missing', `Needs the scope ${route.scope}`);
  await strikeBefore(strikes, context, accessToken);
  const trouble = parts.troubles.responseTo(route.kind, { ...call, account });
  if (trouble) return sendResponse(reply, trouble);
  return sendFaulty(reply, await route.respond({ ...call, account, grant }), strikes, context);
}
