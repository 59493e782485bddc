import type { Cipher } from '@pulsewire/database';
import { packPart, unpackPart, type PackedPart } from './pack-part.ts';
import type { VaultPart } from './stored-response.ts';

/** Seals parts and opens them. */
export type VaultCipher = Pick<Cipher, 'sealBytes' | 'openBytes'>;

/** Identifies a part. */
export interface PartPlace {
  readonly runId: string;
  readonly part: number;
  readonly userId: string;
}

/** The row that a sealed part is bound to. */
export function partContext({ runId, part, userId }: PartPlace): string {
  return `vault:${runId}:${part}:${userId}`;
}

/** Packs and seals a part, because responses hold health data and sometimes a token. Compresses off this thread. */
export async function sealPart(cipher: VaultCipher, place: PartPlace, part: VaultPart): Promise<PackedPart> {
  const { body, rawBytes } = await packPart(part);
  return { body: cipher.sealBytes(body, partContext(place)), rawBytes };
}

/** Opens a part. Throws AppError `cipher_key_unknown`, `cipher_broken` (also for a part of another row) or `vault_unreadable`. */
export function openPart(cipher: VaultCipher, place: PartPlace, body: Buffer): Promise<VaultPart> {
  return unpackPart(cipher.openBytes(body, partContext(place)));
}
