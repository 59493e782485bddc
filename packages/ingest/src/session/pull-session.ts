import { errorCode } from '@pulsewire/kernel';
import type { ProviderSend, PullLane, QuotaState } from '@pulsewire/providers';
import type { IngestContext, PullToken } from '../context/context.ts';
import type { Pullable } from '../context/pullable.ts';
import { applicationBudget } from '../quota/budget-of.ts';
import type { Deadline } from './deadline.ts';
import { openProviderCalls } from './provider-calls.ts';

/** Thrown instead of the cause when no token was available: the connection has to wait. */
export class TokenUnavailableError extends Error {
  override readonly name = 'TokenUnavailableError';
}

export interface CallOptions {
  /** `live` when absent. */
  readonly lane?: PullLane;
  /** Paused while a call waits for quota. */
  readonly deadline?: Pick<Deadline, 'hold'>;
}

/** Windows that follow each other use the same token; whether the connection may still be used is asked as often as this. */
const tokenReuseMs = 10_000;

/** Access to the provider as one connection, for one run of the connection. */
export interface PullSession {
  /** Runs `work` with a valid token; when the provider rejects it as expired, once more with a fresh one. */
  call<T>(signal: AbortSignal, work: (send: ProviderSend) => Promise<T>, options?: CallOptions): Promise<T>;
  /** The most depleted of the user quotas that the provider last reported. */
  quota(): QuotaState | null;
  /** Adds the cost of the session to its application's budget, which decides how many turns are granted later. */
  charge(): void;
}

/** Opens the session of a connection. */
export function openSession(context: IngestContext, pullable: Pullable): PullSession {
  const { connection, connector } = pullable;
  const calls = openProviderCalls(context, pullable);
  const quotas = new Map<string, QuotaState>();

  let held: { readonly token: PullToken; readonly atMs: number } | undefined;

  async function tokenFor(rejected?: PullToken): Promise<PullToken> {
    const nowMs = context.clock.monotonicMs();
    if (held && !rejected && nowMs - held.atMs < tokenReuseMs) return held.token;
    const token = await context.accessTokenFor(connection.connectionId, rejected).catch((cause: unknown) => {
      throw new TokenUnavailableError('No access token', { cause });
    });
    held = { token, atMs: nowMs };
    return token;
  }

  async function call<T>(
    signal: AbortSignal,
    work: (send: ProviderSend) => Promise<T>,
    { lane = 'live', deadline }: CallOptions = {},
    rejected?: PullToken,
  ): Promise<T> {
    const token = await tokenFor(rejected);
    const onQuota = (seen: QuotaState) => {
      calls.recordQuota(seen);
      // An application's quota is distributed by its budget.
      if (seen.scope === 'user') quotas.set(`${seen.limit}`, seen);
    };
    const send = context.sendFor({ connection, connector, accessToken: token.accessToken, signal, onQuota });
    try {
      return await work(calls.limited(send, { lane, signal, deadline }));
    } catch (error) {
      if (rejected || errorCode(error) !== 'provider_token_expired') throw error;
      return call(signal, work, { lane, ...(deadline && { deadline }) }, token);
    }
  }

  return {
    call,
    quota: () => [...quotas.values()].toSorted((a, b) => a.remaining / a.limit - b.remaining / b.limit)[0] ?? null,
    charge() {
      const key = applicationBudget(connector, connection);
      if (!key) return;
      for (const lane of ['live', 'backfill'] as const) {
        if (calls.count(lane) > 0) context.budgets.turnEnded(key, lane, calls.count(lane));
      }
    },
  };
}
