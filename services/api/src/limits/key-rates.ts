import { AppError, type Clock } from '@pulsewire/kernel';
import { takeTokens, type AuthenticatedKey, type KeyRate } from '@pulsewire/connections';
import type { Executor } from '@pulsewire/database';

/** The rate limit state of a key after a request. */
export interface RateState {
  readonly headers: Readonly<Record<string, string>>;
  /** ms until the next request is allowed; 0: this one is allowed. */
  readonly waitMs: number;
}

/** Limits how many requests a key makes. */
export interface KeyRates {
  take(key: Pick<AuthenticatedKey, 'keyId' | 'rateLimit'>): Promise<RateState | null>;
}

/** Burst capacity, in seconds of the rate. */
const burstS = 2;
/** Requests that one process may make beyond the bucket: a fifth of a second's worth. */
const batchShare = 1 / 5;
const keysMax = 10_000;

interface Lease {
  readonly rate: KeyRate;
  readonly batch: number;
  /** Tokens taken from the shared bucket and not used yet. */
  tokens: number;
  /** Requests that wait for tokens. */
  waiting: number;
  /** Last known tokens of the shared bucket, with the time. */
  left: number;
  readAtMs: number;
  emptyUntilMs: number;
  taking: Promise<void> | null;
}

export function rateOf(perSecond: number): KeyRate {
  return { perSecond, burst: perSecond * burstS };
}

function newLease(perSecond: number, nowMs: number): Lease {
  const rate = rateOf(perSecond);
  const batch = Math.max(1, Math.ceil(perSecond * batchShare));
  return { rate, batch, tokens: 0, waiting: 0, left: rate.burst, readAtMs: nowMs, emptyUntilMs: -Infinity, taking: null };
}

function stateOf({ rate, tokens, left, readAtMs, emptyUntilMs }: Lease, nowMs: number, isRefused: boolean): RateState {
  const refilled = Math.min(rate.burst, left + ((nowMs - readAtMs) / 1000) * rate.perSecond);
  const remaining = isRefused ? 0 : Math.floor(Math.min(rate.burst, tokens + refilled));
  const resetS = Math.ceil((rate.burst - remaining) / rate.perSecond);
  return {
    headers: {
      'ratelimit-policy': `"key";q=${rate.burst};w=${burstS}`,
      ratelimit: `"key";r=${remaining};t=${resetS}`,
    },
    waitMs: isRefused ? Math.max(1, emptyUntilMs - nowMs) : 0,
  };
}

export function tooManyRequests(waitMs: number): AppError {
  return new AppError({
    code: 'rate_limit_exceeded',
    kind: 'rate_limited',
    message: 'Too many requests with this API key',
    retryable: true,
    retryAfterMs: waitMs,
  });
}

/**
 * A token bucket for each key, shared by all processes through the database. A process takes tokens in batches and keeps unused ones:
 * most requests do not wait, and a key exceeds its bucket by at most one batch per process. `perSecond`: for keys
 * without a limit of their own; 0 switches all limits off.
 */
export function createKeyRates(options: { readonly database: Executor; readonly clock: Clock; readonly perSecond: number }): KeyRates {
  const { database, clock } = options;
  const leases = new Map<string, Lease>();

  function leaseOf(keyId: string, perSecond: number): Lease {
    const known = leases.get(keyId);
    if (known?.rate.perSecond === perSecond) return known;
    if (leases.size >= keysMax) leases.delete(leases.keys().next().value as string);
    const lease = newLease(perSecond, clock.monotonicMs());
    leases.set(keyId, lease);
    return lease;
  }

  async function refill(keyId: string, lease: Lease): Promise<void> {
    try {
      const { granted, left } = await takeTokens(database, keyId, lease.rate, lease.waiting + lease.batch - lease.tokens);
      const nowMs = clock.monotonicMs();
      lease.tokens += granted;
      lease.left = left;
      lease.readAtMs = nowMs;
      if (granted === 0) lease.emptyUntilMs = nowMs + ((1 - left) / lease.rate.perSecond) * 1000;
    } finally {
      lease.taking = null;
    }
  }

  return {
    async take({ keyId, rateLimit }) {
      if (options.perSecond === 0) return null;
      const lease = leaseOf(keyId, rateLimit ?? options.perSecond);
      while (lease.tokens < 1) {
        const nowMs = clock.monotonicMs();
        if (nowMs < lease.emptyUntilMs) return stateOf(lease, nowMs, true);
        lease.waiting += 1;
        try {
          await (lease.taking ??= refill(keyId, lease));
        } finally {
          lease.waiting -= 1;
        }
      }
      lease.tokens -= 1;
      const nowMs = clock.monotonicMs();
      // Prefetched, so that requests do not wait. If it fails, the next waiting caller gets the error.
      if (lease.tokens * 2 < lease.batch && nowMs >= lease.emptyUntilMs) (lease.taking ??= refill(keyId, lease)).catch(() => {});
      return stateOf(lease, nowMs, false);
    },
  };
}
