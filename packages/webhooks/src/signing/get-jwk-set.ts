import { eq } from 'drizzle-orm';
import { AppError, isUuid } from '@pulsewire/kernel';
import type { JwkSetBody } from '@pulsewire/contract';
import { run } from '@pulsewire/database';
import type { EndpointContext } from '../model/context.ts';
import { webhookEndpoints } from '../model/tables.ts';
import { toJwkSet } from './jwk-set.ts';
import { readPublicKeys } from './signing-columns.ts';

/**
 * The public keys of an endpoint, those in their overlap included, as a JWK set. Public: it contains no secret and decrypts none, and the
 * receiver need not belong to the team. Throws AppError `webhook_keys_not_found`, also for an endpoint without such a key, so that
 * callers cannot probe for endpoints.
 */
export async function getJwkSet({ database, clock }: Pick<EndpointContext, 'database' | 'clock'>, endpointId: string): Promise<JwkSetBody> {
  const { orm } = database;
  const query = orm
    .select({ publicKeys: webhookEndpoints.publicKeys })
    .from(webhookEndpoints)
    .where(eq(webhookEndpoints.endpointId, endpointId));
  const [row] = isUuid(endpointId) ? await run(query) : [];
  const set = await toJwkSet(readPublicKeys(row?.publicKeys ?? null), clock.now().getTime());
  if (set.keys.length === 0)
    throw new AppError({
      code: 'webhook_keys_not_found',
      kind: 'not_found',
      message: 'No webhook endpoint with public keys has this id',
    });
  return set;
}
