import { createGunzip } from 'node:zlib';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AppError } from '@pulsewire/kernel';
import { and, eq } from 'drizzle-orm';
import { run, type Executor } from '@pulsewire/database';
import { pushBodies, pushInbox } from '../../model/tables.ts';
import type { VaultCipher } from '../../sealed/seal-part.ts';
import { pieceContext } from '../receive/store-body.ts';
import type { StoredPush } from '../inbox/begin-push.ts';

// Verified, but still external data. Twice the documented maximum of any provider.
const bodyBytesMax = 256 * 1024 * 1024;
const chunkSize = 64 * 1024;

/** Where to read bodies. */
export interface BodyReader {
  readonly database: Executor;
  readonly cipher: VaultCipher;
}

async function* piecesOf({ database: { orm }, cipher }: BodyReader, { job, pieces }: StoredPush): AsyncGenerator<Buffer> {
  const { pushId, day } = job;
  if (pieces === 0) {
    const { body } = pushInbox;
    const [row] = await run(
      orm
        .select({ body })
        .from(pushInbox)
        .where(and(eq(pushInbox.pushId, pushId), eq(pushInbox.day, day))),
    );
    if (row?.body) yield row.body;
    return;
  }
  for (let piece = 1; piece <= pieces; piece++) {
    const { body } = pushBodies;
    const isPiece = and(eq(pushBodies.pushId, pushId), eq(pushBodies.day, day), eq(pushBodies.piece, piece));
    const [row] = await run(orm.select({ body }).from(pushBodies).where(isPiece));
    if (!row) throw new AppError({ code: 'push_body_missing', kind: 'bug', message: 'Part of a pushed body is missing' });
    yield cipher.openBytes(row.body, pieceContext(pushId, piece));
  }
}

/**
 * The body of a push as received, in chunks: at most one piece of it is in memory. Throws AppError `push_body_missing`, `body_too_large`,
 * and what `openBytes` throws.
 */
export async function* readBody(reader: BodyReader, stored: StoredPush): AsyncGenerator<Buffer> {
  const gunzip = createGunzip({ chunkSize });
  // The loop reports its failure.
  pipeline(Readable.from(piecesOf(reader, stored), { highWaterMark: 1 }), gunzip).catch(() => {});
  let bytes = 0;
  for await (const chunk of gunzip as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > bodyBytesMax) throw new AppError({ code: 'body_too_large', kind: 'invalid', message: 'A pushed body is too large' });
    yield chunk;
  }
}
