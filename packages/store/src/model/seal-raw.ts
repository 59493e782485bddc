import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import { AppError } from '@pulsewire/kernel';
import type { Cipher } from '@pulsewire/database';

const compress = promisify(deflateRaw);
const decompress = promisify(inflateRaw);

/** Seals raw forms and opens them. */
export type RawCipher = Pick<Cipher, 'sealBytes' | 'openBytes'>;

/** Longest JSON of a raw form, bytes of UTF-8. */
export const rawBytesMax = 1024 * 1024;

/** The row that the raw form of a summary is bound to. */
export function entryContext(summaryId: string, userId: string): string {
  return `raw:${summaryId}:${userId}`;
}

/** The row that the raw form of a device is bound to. */
export function deviceContext(deviceId: string, userId: string): string {
  return `raw-device:${deviceId}:${userId}`;
}

/** Compresses and seals a JSON text. Compresses off this thread. */
export async function sealRaw(cipher: RawCipher, json: string, context: string): Promise<Buffer> {
  return cipher.sealBytes(await compress(Buffer.from(json), { level: 1 }), context);
}

/** The JSON text of a sealed one. Throws AppError `cipher_key_unknown`, `cipher_broken` (also for another row) or `raw_unreadable`. */
export async function openRaw(cipher: RawCipher, body: Buffer, context: string): Promise<string> {
  const packed = cipher.openBytes(body, context);
  try {
    return (await decompress(packed, { maxOutputLength: rawBytesMax })).toString('utf8');
  } catch (cause) {
    throw new AppError({ code: 'raw_unreadable', kind: 'bug', message: 'A stored raw response cannot be read', cause });
  }
}

/** Whether `body` is the sealed form of `json`. False for one that cannot be opened, so that it is replaced. */
export async function isSealed(cipher: RawCipher, body: Buffer | null, json: string, context: string): Promise<boolean> {
  if (body === null) return false;
  return openRaw(cipher, body, context).then(
    (stored) => stored === json,
    () => false,
  );
}
