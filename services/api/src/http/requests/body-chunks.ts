import { pipeline, Transform, type Readable } from 'node:stream';
import { AppError } from '@pulsewire/kernel';

export interface BodyBounds {
  readonly bytesMax: number;
  /** Time limit in ms: of the wait for the next chunk (`silence`), or for the `whole` body. */
  readonly timeMs: number;
  readonly of: 'silence' | 'whole';
}

/** What a client must achieve that is not limited as a whole: 20 kB in a second, after the first minute. */
const [slowestMs, slowestBytesPerMs] = [60_000, 20];

/** Bytes on the wire that a body may have, for each of its own and beyond: chunks of a few bytes cost far more than they count. */
const [wireBytesPerByte, wireBytesMore] = [1.25, 32 * 1024];

const bytesRead = (stream: Readable) => (stream as { readonly socket?: { readonly bytesRead?: number } }).socket?.bytesRead ?? 0;

/** Whether a body has many more bytes on the wire than of its own. */
function isShredded(stream: Readable, wireBefore: number, bytes: number): boolean {
  return bytesRead(stream) - wireBefore > wireBytesMore + bytes * wireBytesPerByte;
}

function bodyShredded(): AppError {
  return new AppError({ code: 'body_too_large', kind: 'invalid', message: 'The body is sent in chunks of too few bytes' });
}

/** Passes on a body that arrives in HTTP chunks, and ends the connection of one whose chunks have a few bytes. */
export function boundChunks(stream: Readable): Readable {
  const wireBefore = bytesRead(stream);
  let bytes = 0;
  const bounded = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (!isShredded(stream, wireBefore, bytes)) return done(null, chunk);
      stream.destroy();
      done(bodyShredded());
    },
  });
  // An error of either ends the other; the reader of the body learns of it from the latter.
  return pipeline(stream, bounded, () => {});
}

export function bodyTooLarge(): AppError {
  return new AppError({ code: 'body_too_large', kind: 'invalid', message: 'The body is too large' });
}

/**
 * The chunks of a streamed body. The server discards what is left unread. Throws AppError `body_too_large` or
 * `body_not_received`.
 */
export async function* bodyChunks(stream: Readable, { bytesMax, timeMs, of }: BodyBounds): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  const wireBefore = bytesRead(stream);
  let [waitedMs, since] = [0, performance.now()];
  const wait = () => {
    since = performance.now();
    // A client that is never silent must not go on for ever: it has a minute, and the time that a slow line takes for what it has sent.
    const leftMs = slowestMs + bytes / slowestBytesPerMs - waitedMs;
    return setTimeout(() => stream.destroy(), of === 'silence' ? Math.max(0, Math.min(timeMs, leftMs)) : timeMs);
  };
  let timer = wait();
  try {
    for await (const chunk of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>) {
      // The time limit covers only waiting for the client, not our own processing of a chunk.
      if (of === 'silence') clearTimeout(timer);
      waitedMs += performance.now() - since;
      bytes += chunk.length;
      if (bytes > bytesMax) throw bodyTooLarge();
      if (isShredded(stream, wireBefore, bytes)) {
        stream.destroy();
        throw bodyShredded();
      }
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
