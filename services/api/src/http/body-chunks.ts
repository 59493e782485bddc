import type { Readable } from 'node:stream';
import { AppError } from '@pulsewire/kernel';

export interface BodyBounds {
  readonly bytesMax: number;
  /** How long is waited, ms: for the next chunk while nothing comes, or for the whole of it. */
  readonly timeMs: number;
  readonly of: 'silence' | 'whole';
}

export function bodyTooLarge(): AppError {
  return new AppError({ code: 'body_too_large', kind: 'invalid', message: 'The body is too large' });
}

/**
 * The chunks of a body that is read while it arrives. What is left unread the server throws away. Throws AppError `body_too_large` or
 * `body_not_received`.
 */
export async function* bodyChunks(stream: Readable, { bytesMax, timeMs, of }: BodyBounds): AsyncGenerator<Uint8Array> {
  const wait = () => setTimeout(() => stream.destroy(), timeMs);
  let timer = wait();
  let bytes = 0;
  try {
    for await (const chunk of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>) {
      // Only the client is waited for: while what came is being worked on it may well be silent.
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
