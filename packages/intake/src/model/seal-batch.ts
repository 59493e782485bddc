import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { Cipher } from '@pulsewire/database';
import { jsonDepthMax, type JsonBounds } from '@pulsewire/kernel';

const compress = promisify(gzip);
const decompress = promisify(gunzip);

/** Longest body of a batch. */
export const batchBytesMax = 20 * 1024 * 1024;

/**
 * Of a batch: ten times what the largest real one has, which is some 2,000 items. Parsing the worst body within these bounds, whose names all
 * differ, takes a fifth of a second.
 */
export const phoneJsonBounds: JsonBounds = { depthMax: jsonDepthMax, valuesMax: 300_000, itemsMax: 150_000, keysMax: 10_000 };

/** Seals and opens batches. */
export type BatchCipher = Pick<Cipher, 'sealBytes' | 'openBytes'>;

/** The encryption context that binds a sealed body to its row. */
export function batchContext(batchId: string, userId: string): string {
  return `phone_batch:${batchId}:${userId}`;
}

export async function sealBatch(
  cipher: BatchCipher,
  row: { readonly batchId: string; readonly userId: string },
  body: Buffer,
): Promise<Buffer> {
  return cipher.sealBytes(await compress(body, { level: 1 }), batchContext(row.batchId, row.userId));
}

export async function openBatch(
  cipher: BatchCipher,
  row: { readonly batchId: string; readonly userId: string },
  sealed: Buffer,
): Promise<Buffer> {
  return decompress(cipher.openBytes(sealed, batchContext(row.batchId, row.userId)), { maxOutputLength: batchBytesMax });
}
