import { Readable } from 'node:stream';
import type { Logger } from '@pulsewire/kernel';
import type { Chunks } from '../../route/chunks.ts';

/** Called with the whole text after the last chunk; for tests that compare responses with the document. */
export type OnWhole = (text: string) => void;

async function* concatenate(first: IteratorResult<string>, rest: AsyncIterator<string>, onWhole?: OnWhole): AsyncGenerator<string> {
  const pieces: string[] = [];
  try {
    for (let next = first; !next.done; next = await rest.next()) {
      if (onWhole) pieces.push(next.value);
      yield next.value;
    }
    onWhole?.(pieces.join(''));
  } finally {
    await rest.return?.();
  }
}

/**
 * Streams a body. The first chunk is awaited here, so that a failure at the start still becomes an error
 * response; a later failure is logged and closes the connection, because the status has been sent.
 */
export async function openStream(chunks: Chunks, logger: Logger, onWhole?: OnWhole): Promise<Readable> {
  const iterator = chunks[Symbol.asyncIterator]();
  const first = await iterator.next();
  // For a client that does not read, only one chunk at a time is kept.
  const stream = Readable.from(concatenate(first, iterator, onWhole), { objectMode: true, highWaterMark: 1 });
  stream.on('error', (error) => logger.error({ error }, 'response.interrupted'));
  return stream;
}
