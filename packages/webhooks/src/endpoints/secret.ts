import { run } from '@pulsewire/database';
import type { RotateWebhookSecretBody, WebhookSecretBody } from '@pulsewire/contract';
import { AppError } from '@pulsewire/kernel';
import { webhookEndpoints } from '../model/tables.ts';
import { createSecret, parseSecret } from '../signing/sign.ts';
import { createSigningSecret, isSigningSecret, parseSigningSecret } from '../signing/ed25519.ts';
import { rotatedKeys } from '../signing/rotation.ts';
import { openPreviousSigningKeys, openSigningKey, readPublicKeys, signingColumns } from '../signing/signing-columns.ts';
import type { EndpointContext } from '../model/context.ts';
import { byTeamAndId, findEndpointRow } from '../model/endpoint-row.ts';
import { openPreviousSecrets, openSecret, sealPreviousSecrets, sealSecret } from '../model/sealed.ts';

type Row = Awaited<ReturnType<typeof findEndpointRow>>;

/** Columns that replace those of the row when a key is put in use. */
interface Rotation {
  readonly context: EndpointContext;
  readonly row: Row;
  readonly nowMs: number;
  readonly overlapMs: number;
}

/** The default overlap, for which old and new keys both sign after a rotation. */
const overlapSecondsDefault = 24 * 3600;
const overlapSecondsMax = 7 * 24 * 3600;

/** Returns what receivers verify with: the v1 secret, and the v1a public key if there is one. Throws AppError `endpoint_not_found`. */
export async function getSecret({ database, cipher }: EndpointContext, teamId: string, endpointId: string): Promise<WebhookSecretBody> {
  const row = await findEndpointRow(database, teamId, endpointId);
  return { key: openSecret(cipher, endpointId, row.secret), public_key: readPublicKeys(row.publicKeys)[0]?.key ?? null };
}

/**
 * Rotates signing keys. A given `key` (`whsec_…` or `whsk_…`) replaces the key of its kind; without one, every key in use is replaced by a
 * generated one. Replaced keys still sign for `overlap` seconds (default one day, 0 to 7 days); keys replaced earlier sign no longer than
 * that. Throws AppErrors `endpoint_not_found`, `secret_invalid`, `overlap_invalid`.
 */
export async function rotateSecret(
  context: EndpointContext,
  teamId: string,
  endpointId: string,
  { key = null, overlap = overlapSecondsDefault }: RotateWebhookSecretBody = {},
): Promise<void> {
  if (!Number.isInteger(overlap) || overlap < 0 || overlap > overlapSecondsMax)
    throw new AppError({ code: 'overlap_invalid', kind: 'invalid', message: 'The overlap must be between 0 seconds and 7 days' });
  const isAsymmetric = key !== null && isSigningSecret(key);
  if (key !== null) (isAsymmetric ? parseSigningSecret : parseSecret)(key);
  const { database, clock } = context;
  await database.transaction(async (tx) => {
    const row = await findEndpointRow(tx, teamId, endpointId, 'for_update');
    const now = clock.now();
    const rotation: Rotation = { context, row, nowMs: now.getTime(), overlapMs: overlap * 1000 };
    const columns = {
      ...((key === null ? row.signature !== 'v1a' : !isAsymmetric) && secretColumns(rotation, key ?? createSecret())),
      ...((key === null ? row.signature !== 'v1' : isAsymmetric) && signingKeyColumns(rotation, key ?? createSigningSecret())),
    };
    await run(
      tx.orm
        .update(webhookEndpoints)
        .set({ ...columns, updatedAt: now.toISOString() })
        .where(byTeamAndId(teamId, endpointId)),
    );
  });
}

function secretColumns({ context: { cipher }, row, nowMs, overlapMs }: Rotation, next: string) {
  const { endpointId } = row;
  const current = openSecret(cipher, endpointId, row.secret);
  const previous = rotatedKeys({ current, previous: openPreviousSecrets(cipher, endpointId, row.previousSecrets), next }, nowMs, overlapMs);
  return { secret: sealSecret(cipher, endpointId, next), previousSecrets: sealPreviousSecrets(cipher, endpointId, previous) };
}

function signingKeyColumns({ context: { cipher }, row, nowMs, overlapMs }: Rotation, next: string) {
  const { endpointId, signingKey, previousSigningKeys } = row;
  if (signingKey === null) return signingColumns(cipher, endpointId, next, []);
  const current = openSigningKey(cipher, endpointId, signingKey);
  const previous = openPreviousSigningKeys(cipher, endpointId, previousSigningKeys);
  return signingColumns(cipher, endpointId, next, rotatedKeys({ current, previous, next }, nowMs, overlapMs));
}
