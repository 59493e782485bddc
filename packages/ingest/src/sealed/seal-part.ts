import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants } from 'node:zlib';
import { AppError } from '@pulsewire/kernel';
import type { Cipher } from '@pulsewire/database';
import type { UserFacts, StoredResponse, VaultPart } from './stored-response.ts';

const compress = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);

// As fast as deflate, and a quarter smaller for readings of every minute; a higher level saves another 5%.
const quality = 2;
const lengthBytes = 4;
// At most the bodies of a page, or the largest item of a push, and the list of responses.
const partBytesMax = 64 * 1024 * 1024;

/** As stored; its keys cannot be renamed. */
interface Header {
  readonly user: UserFacts;
  readonly now: string;
  readonly answers: readonly (Omit<StoredResponse, 'bytes' | 'version'> & { readonly version: string; readonly size: number | null })[];
}

/** A sealed part and how large it was before. */
export interface SealedPart {
  readonly body: Buffer;
  readonly rawBytes: number;
}

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

/**
 * Packs and seals a part, because responses hold health data and sometimes a token: a list of its responses, then their bodies, compressed
 * together off this thread.
 */
export async function sealPart(cipher: VaultCipher, place: PartPlace, { user, now, responses }: VaultPart): Promise<SealedPart> {
  const header: Header = {
    user,
    now,
    answers: responses.map(({ bytes, version, ...response }) => ({ ...response, version: String(version), size: bytes?.length ?? null })),
  };
  const list = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(lengthBytes);
  length.writeUInt32BE(list.length);
  const bodies = responses.flatMap(({ bytes }) => (bytes === null ? [] : [bytes]));
  const packed = await compress(Buffer.concat([length, list, ...bodies]), { params: { [constants.BROTLI_PARAM_QUALITY]: quality } });
  const rawBytes = bodies.reduce((sum, { length: size }) => sum + size, 0);
  return { body: cipher.sealBytes(packed, partContext(place)), rawBytes };
}

/**
 * Opens a part. Throws AppError `cipher_key_unknown`, `cipher_broken` (also for a part of another row) or, for damaged bytes,
 * `vault_unreadable`.
 */
export async function openPart(cipher: VaultCipher, place: PartPlace, body: Buffer): Promise<VaultPart> {
  const packed = cipher.openBytes(body, partContext(place));
  try {
    const plain = await decompress(packed, { maxOutputLength: partBytesMax });
    const listEnd = lengthBytes + plain.readUInt32BE(0);
    const { user, now, answers } = JSON.parse(plain.toString('utf8', lengthBytes, listEnd)) as Header;
    let at = listEnd;
    const read = (size: number) => plain.subarray(at, (at += size));
    return {
      user,
      now,
      responses: answers.map(({ size, version, ...response }) => ({
        ...response,
        version: BigInt(version),
        bytes: size === null ? null : read(size),
      })),
    };
  } catch (cause) {
    throw new AppError({ code: 'vault_unreadable', kind: 'bug', message: 'Stored responses cannot be read', cause });
  }
}
