import { errorCode } from '@pulsewire/kernel';
import type { ProviderHttp, QuotaState } from '@pulsewire/providers';
import type { IngestContext, PullToken } from '../context.ts';
import type { Pullable } from '../plan/pullable.ts';
import { patientHttp } from './patient-http.ts';

/** Thrown instead of the cause when no token was to be had: the connection has to wait, whatever was to be done with it. */
export class TokenUnavailableError extends Error {
  override readonly name = 'TokenUnavailableError';
}

/** The provider as one connection, for as long as a tick lasts. */
export interface PullSession {
  /** Runs `work` with a valid token; when the provider calls it expired, once more with a fresh one. */
  call<T>(signal: AbortSignal, work: (http: ProviderHttp) => Promise<T>): Promise<T>;
  /** Of what the provider said last of its quotas, the one that is used up most. */
  quota(): QuotaState | null;
}

export function openSession(context: IngestContext, { connection, connector }: Pullable): PullSession {
  const quotas = new Map<string, QuotaState>();
  const tokenFor = (rejected?: PullToken) =>
    context.accessTokenFor(connection.connectionId, rejected).catch((cause: unknown) => {
      throw new TokenUnavailableError('No access token', { cause });
    });
  return {
    quota: () => [...quotas.values()].toSorted((a, b) => a.remaining / a.limit - b.remaining / b.limit)[0] ?? null,
    async call(signal, work) {
      const onQuota = (seen: QuotaState) => void quotas.set(`${seen.scope} ${seen.limit}`, seen);
      const attempt = ({ accessToken }: PullToken) => {
        const http = context.httpFor({ connection, connector, accessToken, signal, onQuota });
        return work(patientHttp(http, context, signal));
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
