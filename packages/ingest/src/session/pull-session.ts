import { errorCode } from '@pulsewire/kernel';
import type { ProviderHttp, PullLane, QuotaState } from '@pulsewire/providers';
import { openPass } from './quota-pass.ts';
import type { IngestContext, PullToken } from '../context/context.ts';
import type { Pullable } from '../context/pullable.ts';
import type { Deadline } from './deadline.ts';
import { retryingHttp } from './retrying-http.ts';

/** Thrown instead of the cause when no token was to be had: the connection has to wait, whatever was to be done with it. */
export class TokenUnavailableError extends Error {
  override readonly name = 'TokenUnavailableError';
}

export interface CallOptions {
  /** `live` when absent. */
  readonly lane?: PullLane;
  /** Does not run while a call waits for quota. */
  readonly deadline?: Pick<Deadline, 'hold'>;
}

/** The provider as one connection, for as long as a tick lasts. */
export interface PullSession {
  /** Runs `work` with a valid token; when the provider calls it expired, once more with a fresh one. */
  call<T>(signal: AbortSignal, work: (http: ProviderHttp) => Promise<T>, options?: CallOptions): Promise<T>;
  /** Calls made so far that count under a quota. */
  calls(lane: PullLane): number;
  /** Of what the provider said last of its users' quotas, the one that is used up most. */
  quota(): QuotaState | null;
}

export function openSession(context: IngestContext, pullable: Pullable): PullSession {
  const { connection, connector } = pullable;
  const pass = openPass(context, pullable);
  const quotas = new Map<string, QuotaState>();
  const tokenFor = (rejected?: PullToken) =>
    context.accessTokenFor(connection.connectionId, rejected).catch((cause: unknown) => {
      throw new TokenUnavailableError('No access token', { cause });
    });
  return {
    quota: () => [...quotas.values()].toSorted((a, b) => a.remaining / a.limit - b.remaining / b.limit)[0] ?? null,
    calls: pass.calls,
    async call(signal, work, { lane = 'live', deadline } = {}) {
      const onQuota = (seen: QuotaState) => {
        pass.told(seen);
        // An application's quota is shared out by its budget.
        if (seen.scope === 'user') quotas.set(`${seen.limit}`, seen);
      };
      const attempt = ({ accessToken }: PullToken) => {
        const http = context.httpFor({ connection, connector, accessToken, signal, onQuota });
        return work(retryingHttp(pass.guard(http, { lane, signal, deadline }), context, signal));
      };
      const token = await tokenFor();
      try {
        return await attempt(token);
      } catch (error) {
        if (errorCode(error) !== 'provider_token_expired') throw error;
        return attempt(await tokenFor(token));
      }
    },
  };
}
