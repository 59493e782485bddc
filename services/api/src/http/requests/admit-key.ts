import type { FastifyReply } from 'fastify';
import type { AuthenticatedKey } from '@pulsewire/connections';
import { AppError, isAppError } from '@pulsewire/kernel';
import type { ApiContext } from '../../context/context.ts';
import { tooManyRequests } from '../../limits/key-rates.ts';
import { assertScope } from '../../route/required-scope.ts';
import type { Route } from '../../route/route.ts';

/** Counts the request for its key, and reports the key's rate limit in headers. Throws AppError `rate_limit_exceeded` (429). */
async function limitRate({ keyRates }: ApiContext, key: AuthenticatedKey, reply: FastifyReply): Promise<void> {
  const rate = await keyRates.take(key);
  if (rate === null) return;
  void reply.headers(rate.headers);
  if (rate.waitMs > 0) throw tooManyRequests(rate.waitMs);
}

/**
 * Applies the limits and the scope of a key to a request. Throws AppErrors `rate_limit_exceeded`, `responses_unread` and `key_scope_missing`.
 */
export async function admitKey(context: ApiContext, route: Route, key: AuthenticatedKey, reply: FastifyReply): Promise<void> {
  await limitRate(context, key, reply);
  context.unsent.admit(key.team.teamId);
  assertScope(route, key);
  context.keyUses.note(key.keyId);
}

/** A phone discards its data after a 4xx, so that every limit is a 503 for it. */
export function asPhoneRefusal(error: unknown): unknown {
  if (!isAppError(error) || error.kind !== 'rate_limited') return error;
  const { code, message, retryAfterMs } = error;
  return new AppError({ code, message, kind: 'unavailable', retryable: true, ...(retryAfterMs !== undefined && { retryAfterMs }) });
}
