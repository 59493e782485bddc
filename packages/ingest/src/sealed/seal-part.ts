import type { Cipher } from '@pulsewire/database';
import { packPart, unpackPart, type PackedPart } from './pack-part.ts';
import type { VaultPart } from './stored-response.ts';

/** Seals parts and opens them. */
export type VaultCipher = Pick<Cipher, 'sealBytes' | 'openBytes'>;

/** Where a part lies. */
export interface PartPlace {
  readonly runId: string;
  readonly part: number;
  readonly userId: string;
}

/** What a sealed part is bound to: it opens nowhere else. */
export function partContext({ runId, part, userId }: PartPlace): string {
  return `vault:${runId}:${part}:${userId}`;
}

/** A part as it is stored: packed, then sealed, for answers hold health data and now and then a token. Compresses off this thread. */
export async function sealPart(cipher: VaultCipher, place: PartPlace, part: VaultPart): Promise<PackedPart> {
  const { body, rawBytes } = await packPart(part);
  return { body: cipher.sealBytes(body, partContext(place)), rawBytes };
}

/** The part again. Throws AppError `cipher_key_unknown`, `cipher_broken` when it is another's, `vault_unreadable`. */
export function openPart(cipher: VaultCipher, place: PartPlace, body: Buffer): Promise<VaultPart> {
  return unpackPart(cipher.openBytes(body, partContext(place)));
}
