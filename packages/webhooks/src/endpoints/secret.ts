import { run } from '@pulsewire/database';
import type { WebhookSecretBody } from '@pulsewire/contract';
import { webhookEndpoints } from '../tables.ts';
import { createSecret, parseSecret } from '../sign.ts';
import type { EndpointContext } from './context.ts';
import { byTeamAndId, findEndpointRow } from './row.ts';
import { openPreviousSecrets, openSecret, sealPreviousSecrets, sealSecret } from './sealed.ts';

/** Old and new keys both sign for this long after a rotation (contract 21.1). */
const overlapMs = 24 * 3_600_000;
/** Someone who rotates again and again must not make every message carry a row of signatures. */
const previousMax = 4;

/** The secret that signs now. Throws AppError `endpoint_not_found`. */
export async function getSecret({ database, cipher }: EndpointContext, teamId: string, endpointId: string): Promise<WebhookSecretBody> {
  const row = await findEndpointRow(database, teamId, endpointId);
  return { key: openSecret(cipher, endpointId, row.secret) };
}

/**
 * Replaces the secret, by `key` or, when that is null, by a new one. The old one signs beside it for 24 hours.
 * Throws AppErrors `endpoint_not_found`, `secret_invalid`.
 */
export async function rotateSecret(context: EndpointContext, teamId: string, endpointId: string, key: string | null): Promise<void> {
  const { database, cipher, clock } = context;
  const secret = key ?? createSecret();
  parseSecret(secret);
  await database.transaction(async (tx) => {
    const row = await findEndpointRow(tx, teamId, endpointId, 'for_update');
    const nowMs = clock.now().getTime();
    const current = openSecret(cipher, endpointId, row.secret);
    const stillValid = openPreviousSecrets(cipher, endpointId, row.previousSecrets).filter(({ expiresAtMs }) => expiresAtMs > nowMs);
    const previous = [{ secret: current, expiresAtMs: nowMs + overlapMs }, ...stillValid]
      .filter((old) => old.secret !== secret)
      .slice(0, previousMax);
    await run(
      tx.orm
        .update(webhookEndpoints)
        .set({
          secret: sealSecret(cipher, endpointId, secret),
          previousSecrets: sealPreviousSecrets(cipher, endpointId, previous),
          updatedAt: clock.now().toISOString(),
        })
        .where(byTeamAndId(teamId, endpointId)),
    );
  });
}
