import type { Readable } from 'node:stream';
import { AppError } from '@pulsewire/kernel';

export interface BodyBounds {
  readonly bytesMax: number;
  /** Time limit in ms: of the wait for the next chunk (`silence`), or for the `whole` body. */
  readonly timeMs: number;
  readonly of: 'silence' | 'whole';
}

export function bodyTooLarge(): AppError {
  return new AppError({ code: 'body_too_large', kind: 'invalid', message: 'The body is too large' });
}

/**
 * The chunks of a streamed body. The server discards what is left unread. Throws AppError `body_too_large` or
 * `body_not_received`.
 */
export async function* bodyChunks(stream: Readable, { bytesMax, timeMs, of }: BodyBounds): AsyncGenerator<Uint8Array> {
  const wait = () => setTimeout(() => stream.destroy(), timeMs);
  let timer = wait();
  let bytes = 0;
  try {
    for await (const chunk of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>) {
      // The time limit covers only waiting for the client, not our own processing of a chunk.
      if (of === 'silence') clearTimeout(timer);
      bytes += chunk.length;
      if (bytes > bytesMax) throw bodyTooLarge();
      yield chunk;
      if (of === 'silence') timer = wait();
    }
    if (!stream.readableEnded) throw new Error('The stream was destroyed');
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw new AppError({ code: 'body_not_received', kind: 'invalid', message: 'The body ended early', cause });
  } finally {
    clearTimeout(timer);
  }
}
