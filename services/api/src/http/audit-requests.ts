import type { FastifyRequest } from 'fastify';
import type { AuthenticatedKey } from '@pulsewire/connections';
import type { ApiContext } from '../context.ts';
import { auditEntryOf, routeAudit } from './audit-request.ts';
import { callerAddress } from './caller-address.ts';
import type { Route } from './route.ts';

/** Records the requests of one route that were made with a key. */
export interface RequestAudit {
  /** When the handler is done: throws AppError `audit_unavailable` where nothing may go out that is not recorded. */
  handled(request: FastifyRequest, status: number): Promise<void>;
  /** When the answer is out: records what was not recorded before it. */
  answered(request: FastifyRequest, status: number): void;
}

export function auditRequests({ audit, clock }: Pick<ApiContext, 'audit' | 'clock'>, route: Route): RequestAudit {
  const { effect, when } = routeAudit(route);
  const recorded = new WeakSet<FastifyRequest>();
  const entryOf = ({ key, params, query, ip, id: requestId }: FastifyRequest, status: number) => {
    const address = callerAddress(ip);
    return auditEntryOf(route, effect, { key: key as AuthenticatedKey, params, query, address, requestId, at: clock.now(), status });
  };
  return {
    async handled(request, status) {
      if (!request.key || when === 'soon') return;
      const recording = audit.recordNow(entryOf(request, status));
      if (when === 'before') await recording;
      // It has happened: a refusal would be wrong. The recorder keeps the entry and goes on trying.
      else await recording.catch(() => {});
      recorded.add(request);
    },
    answered(request, status) {
      if (request.key && !(when !== 'soon' && recorded.has(request))) audit.record(entryOf(request, status));
    },
  };
}
