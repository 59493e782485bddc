import { constants, createGzip } from 'node:zlib';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Database, run, takeLock, type Tx } from '@pulsewire/database';
import type { PushJob } from '../../jobs/queues.ts';
import { pushBodies } from '../../model/tables.ts';
import type { VaultCipher } from '../../sealed/seal-part.ts';
import type { ByteReservation } from './limits/byte-budget.ts';
import type { Slots } from './limits/slots.ts';

/** Compressed bytes of a piece; a body of any length takes a few of these in memory. */
const pieceBytes = 1024 * 1024;

/** The last piece of a body; the others are stored already. */
export interface KeptBody {
  readonly pieces: number;
  readonly last: Buffer;
  /** Before it was compressed. */
  readonly bytes: number;
}

/** Where bodies are stored. */
export interface BodyStore {
  readonly database: Database;
  readonly cipher: VaultCipher;
  /** Bounds how many bodies of more than one piece are received concurrently. */
  readonly largeBodies?: Slots;
  /** Counts the bytes of the body in memory. */
  readonly hold?: ByteReservation;
}

/** The row that a sealed piece is bound to. */
export function pieceContext(pushId: string, piece: number): string {
  return `push:${pushId}:${piece}`;
}

async function* counted(chunks: AsyncIterable<Uint8Array>, count: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    count(chunk.length);
    yield chunk;
  }
}

/**
 * Compresses a body while it arrives, off this thread, and stores it piece by piece; the last piece is stored by the transaction that
 * creates the push. When it throws, nothing remains stored. Throws what `chunks` throws, and AppError `push_capacity_exceeded`.
 */
export async function storeBody(
  { database, cipher, largeBodies, hold }: BodyStore,
  { pushId, day }: PushJob,
  chunks: AsyncIterable<Uint8Array>,
): Promise<KeptBody> {
  const gzip = createGzip({ level: constants.Z_BEST_SPEED });
  let [bytes, pieces, heldBytes] = [0, 1, 0];
  let held: Buffer[] = [];
  let release: (() => void) | undefined;
  // The loop reports its failure.
  pipeline(Readable.from(counted(chunks, (size) => void (bytes += size))), gzip).catch(() => {});
  try {
    for await (const chunk of gzip as AsyncIterable<Buffer>) {
      hold?.add(chunk.length);
      held.push(chunk);
      heldBytes += chunk.length;
      if (heldBytes < pieceBytes) continue;
      release ??= await largeBodies?.take();
      const sealed = cipher.sealBytes(Buffer.concat(held), pieceContext(pushId, pieces));
      await run(database.orm.insert(pushBodies).values({ pushId, day, piece: pieces, body: sealed }));
      hold?.remove(heldBytes);
      [held, heldBytes] = [[], 0];
      pieces += 1;
    }
    return { pieces, bytes, last: cipher.sealBytes(Buffer.concat(held), pieceContext(pushId, pieces)) };
  } catch (error) {
    if (pieces > 1) await dropBody(database, { pushId, day });
    throw error;
  } finally {
    release?.();
  }
}

/** Makes `dropBody` wait for the transaction that creates the push: it may commit although its response is lost. */
export async function lockBody(tx: Tx, pushId: string): Promise<void> {
  await takeLock(tx, 'pushBody', pushId);
}

/** Deletes the pieces of a body that did not become a push. If that fails, they are dropped with their daily partition. */
export async function dropBody(database: Pick<Database, 'transaction'>, { pushId, day }: PushJob): Promise<void> {
  const drop = async (tx: Tx) => {
    await lockBody(tx, pushId);
    await tx.sql`
      DELETE FROM push_bodies WHERE push_id = ${pushId} AND day = ${day}
        AND NOT EXISTS (SELECT FROM push_inbox WHERE push_id = ${pushId} AND day = ${day})`;
  };
  await database.transaction(drop).catch(() => {});
}
