import type { FastifyRequest } from 'fastify';
import { userOfLinkToken, type AuthenticatedKey } from '@pulsewire/connections';
import type { ApiContext } from '../../context/context.ts';
import { auditEntryOf, routeAudit } from './audit-request.ts';
import { callerAddress } from './caller-address.ts';
import type { RouteResponse, Concern, Route } from '../../route/route.ts';

/** Records requests of one route that use a key. */
export interface RequestAudit {
  /** Called after the handler: throws AppError `audit_unavailable` if the response requires an entry that cannot be recorded. */
  handled(request: FastifyRequest, response: RouteResponse): Promise<void>;
  /** Called after the response was sent: records what is not recorded yet. */
  responded(request: FastifyRequest, status: number): Promise<void>;
}

const bodies = new WeakMap<FastifyRequest, unknown>();

/** Keeps the validated body of a request for its entry, which includes ids of the body. */
export function rememberBody(request: FastifyRequest, body: unknown): void {
  bodies.set(request, body);
}

async function linkedUser({ links }: Pick<ApiContext, 'links'>, { headers }: FastifyRequest, teamId: string): Promise<string | null> {
  const token = headers['x-service-link-token'];
  return typeof token === 'string' ? userOfLinkToken(links, token, teamId) : null;
}

export function auditRequests({ audit, clock, links }: Pick<ApiContext, 'audit' | 'clock' | 'links'>, route: Route): RequestAudit {
  const { effect, when } = routeAudit(route);
  const recorded = new WeakSet<FastifyRequest>();
  const concerned = new WeakMap<FastifyRequest, Concern>();
  const entryOf = async (request: FastifyRequest, status: number) => {
    const { params, query, ip, id: requestId } = request;
    const key = request.key as AuthenticatedKey;
    const facts = {
      body: route.body && bodies.get(request),
      concerns: concerned.get(request),
      linkedUserId: route.auth === 'link' ? await linkedUser({ links }, request, key.team.teamId) : null,
    };
    return auditEntryOf(route, effect, { key, params, query, ...facts, address: callerAddress(ip), requestId, at: clock.now(), status });
  };
  return {
    async handled(request, { status, concerns }) {
      if (!request.key) return;
      if (concerns) concerned.set(request, concerns);
      if (when === 'soon') return;
      const recording = audit.recordNow(await entryOf(request, status));
      if (when === 'before') await recording;
      // The change is committed, so an error response would be wrong. The recorder keeps the entry and retries.
      else await recording.catch(() => {});
      recorded.add(request);
    },
    async responded(request, status) {
      if (request.key && !(when !== 'soon' && recorded.has(request))) audit.record(await entryOf(request, status));
    },
  };
}
