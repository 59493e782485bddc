import type { FastifyRequest } from 'fastify';
import type { ApiContext } from '../../context/context.ts';
import { inTurn, withTurn, type Turn } from '../../limits/request-turns.ts';
import type { Route } from '../../route/route.ts';
import { callerAddress } from './caller-address.ts';

/**
 * Whose turns a request without a key takes: those of a phone's user, of a link token, or of what the route names; else of its address, so
 * that tokens somebody invents give no turns of their own.
 */
async function holderOf(context: ApiContext, route: Route, request: FastifyRequest, input: unknown): Promise<string> {
  if (request.phone !== null) return `user ${request.phone.userId}`;
  const link = request.headers['x-service-link-token'];
  if (route.auth === 'link' && typeof link === 'string') return `link ${link}`;
  if (route.turnsOf) return route.turnsOf(input);
  const address = `address ${callerAddress(request.ip)}`;
  const { userOf } = route;
  if (!userOf) return address;
  const userId = await context.openSlots.run(address, () => userOf(context, input));
  return userId === null ? address : `user ${userId}`;
}

/** How the transactions of a route take turns for the database: the request as a whole, or each of its transactions. */
export const turnsOf = (route: Route): 'whole' | 'transactions' | 'none' =>
  route.boundsItself ? 'none' : route.streamsBody || route.waitsForOthers || route.auth === 'link' ? 'transactions' : 'whole';

/**
 * Runs the handler of a request in the turns of its team, or of who sent it without a key: whoever sends many requests at once, which all
 * wait for the same lock, leaves connections to the others.
 */
export async function runInTurn<T>(
  context: ApiContext,
  route: Route,
  request: FastifyRequest,
  input: unknown,
  work: () => Promise<T>,
): Promise<T> {
  const { teamSlots, openSlots } = context;
  const kind = turnsOf(route);
  if (kind === 'none') return work();
  const { key } = request;
  const holder = key ? key.team.teamId : await holderOf(context, route, request, input);
  const turn: Turn = (part) => (key ? teamSlots : openSlots).run(holder, part);
  return kind === 'whole' ? inTurn(turn, work) : withTurn(turn, work);
}
