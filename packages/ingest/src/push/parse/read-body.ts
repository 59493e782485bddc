import { createGunzip } from 'node:zlib';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AppError } from '@pulsewire/kernel';
import type { Executor } from '@pulsewire/database';
import type { VaultCipher } from '../../sealed/seal-part.ts';
import { pieceContext } from '../receive/store-body.ts';
import type { StoredPush } from './read-push.ts';

// Verified, but still outside data. Twice what any provider says that it sends.
const bodyBytesMax = 256 * 1024 * 1024;
const chunkSize = 64 * 1024;

/** Where bodies are. */
export interface BodyReader {
  readonly database: Executor;
  readonly cipher: VaultCipher;
}

async function* piecesOf({ database: { sql }, cipher }: BodyReader, { job, pieces }: StoredPush): AsyncGenerator<Buffer> {
  const { pushId, day } = job;
  if (pieces === 0) {
    const [row] = await sql<{ body: Buffer | null }[]>`SELECT body FROM push_inbox WHERE push_id = ${pushId} AND day = ${day}`;
    if (row?.body) yield row.body;
    return;
  }
  for (let piece = 1; piece <= pieces; piece++) {
    const [row] = await sql<
      { body: Buffer }[]
    >`SELECT body FROM push_bodies WHERE push_id = ${pushId} AND day = ${day} AND piece = ${piece}`;
    if (!row) throw new AppError({ code: 'push_body_missing', kind: 'bug', message: 'A piece of a pushed body is missing' });
    yield cipher.openBytes(row.body, pieceContext(pushId, piece));
  }
}

/**
 * The body of a push as it came, in chunks: no more than a piece of it is in memory. Throws AppError `push_body_missing`, `body_too_large`,
 * and what `openBytes` throws.
 */
export async function* readBody(reader: BodyReader, stored: StoredPush): AsyncGenerator<Buffer> {
  const gunzip = createGunzip({ chunkSize });
  // Its failure comes out of the loop.
  pipeline(Readable.from(piecesOf(reader, stored), { highWaterMark: 1 }), gunzip).catch(() => {});
  let bytes = 0;
  for await (const chunk of gunzip as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > bodyBytesMax) throw new AppError({ code: 'body_too_large', kind: 'invalid', message: 'A pushed body is too large' });
    yield chunk;
  }
}
