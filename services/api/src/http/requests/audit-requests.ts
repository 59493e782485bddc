import type { FastifyRequest } from 'fastify';
import { userOfLinkToken, type AuthenticatedKey } from '@pulsewire/connections';
import type { ApiContext } from '../../context/context.ts';
import { auditEntryOf, routeAudit } from './audit-request.ts';
import { callerAddress } from './caller-address.ts';
import type { RouteResponse, Concern, Route } from '../../route/route.ts';

/** Records requests of one route that use a key. */
export interface RequestAudit {
  /** Called when the key of a request is known: its client may have gone already. */
  authenticated(request: FastifyRequest): Promise<void>;
  /** Runs the handler of a request. A client that leaves meanwhile does not escape the log: its entry is recorded afterwards. */
  run<T>(request: FastifyRequest, work: () => Promise<T>): Promise<T>;
  /**
   * Called with the handler's response, before any of it is sent: throws AppError `audit_unavailable` if the response requires an entry that
   * cannot be recorded. Streams are recorded now, because they may never end.
   */
  handled(request: FastifyRequest, response: RouteResponse): Promise<void>;
  /** Called once, after the response was sent or its client has gone: records what is not recorded yet. */
  ended(request: FastifyRequest, status: number): Promise<void>;
}

interface ValidInput {
  readonly query?: unknown;
  readonly body?: unknown;
}

const inputs = new WeakMap<FastifyRequest, ValidInput>();

/** Keeps the validated query and body of a request for its entry, which includes their ids: what the handler works with. */
export function rememberInput(request: FastifyRequest, { query, body }: ValidInput): void {
  inputs.set(request, { query, body });
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
    const { params, ip, id: requestId } = request;
    const { query = request.query, body } = inputs.get(request) ?? {};
    const key = request.key as AuthenticatedKey;
    const facts = {
      body: route.body && body,
      concerns: concerned.get(request),
      linkedUserId: route.auth === 'link' ? await linkedUser({ links }, request, key.team.teamId) : null,
    };
    return auditEntryOf(route, effect, { key, params, query, ...facts, address: callerAddress(ip), requestId, at: clock.now(), status });
  };
  const [running, left] = [new WeakSet<FastifyRequest>(), new WeakMap<FastifyRequest, number>()];
  async function ended(request: FastifyRequest, status: number): Promise<void> {
    if (!request.key || running.has(request)) left.set(request, status);
    else if (!recorded.has(request)) {
      recorded.add(request);
      audit.record(await entryOf(request, status));
    }
  }
  async function recordLeft(request: FastifyRequest): Promise<void> {
    const status = left.get(request);
    if (status !== undefined) await ended(request, status);
  }
  return {
    ended,
    authenticated: recordLeft,
    async run(request, work) {
      running.add(request);
      try {
        return await work();
      } finally {
        running.delete(request);
        await recordLeft(request);
      }
    },
    async handled(request, { status, concerns, chunks }) {
      if (!request.key) return;
      if (concerns) concerned.set(request, concerns);
      if (when === 'soon' && chunks === undefined) return;
      const recording = audit.recordNow(await entryOf(request, status));
      if (when === 'before') await recording;
      // The change is committed, or the read needs no entry first, so an error response would be wrong. The recorder retries the entry.
      else await recording.catch(() => {});
      recorded.add(request);
    },
  };
}
