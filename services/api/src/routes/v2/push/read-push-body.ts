import type { Readable } from 'node:stream';
import { AppError } from '@pulsewire/kernel';
import { pushBytesMax, type PushSupport } from '@pulsewire/providers';
import type { RawRequest } from '../../../http/raw-request.ts';
import type { PushRequest } from '../../../push.ts';

/** Whoever sends a whole body slower than this is cut off. Large ones may take longer: the provider's own deadline runs from their end. */
const wholeTimeMs = 30_000;
const partsTimeMs = 120_000;

function tooLarge(): AppError {
  return new AppError({ code: 'body_too_large', kind: 'invalid', message: 'The body is too large' });
}

/** What arrives. What is left unread the server throws away. */
async function* chunksOf(stream: Readable, bytesMax: number, timeMs: number): AsyncGenerator<Uint8Array> {
  const timer = setTimeout(() => stream.destroy(), timeMs);
  let bytes = 0;
  try {
    for await (const chunk of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>) {
      bytes += chunk.length;
      if (bytes > bytesMax) throw tooLarge();
      yield chunk;
    }
    if (!stream.readableEnded) throw new Error('The stream was destroyed');
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw new AppError({ code: 'body_not_received', kind: 'invalid', message: 'The body broke off', cause });
  } finally {
    clearTimeout(timer);
  }
}

/**
 * A call with its body: whole, or as it arrives where the provider's pushes are too large to be held. No longer than the provider says that
 * its pushes are. Throws AppError `body_too_large` or `body_not_received`; `chunks` too.
 */
export async function readPushBody({ stream, ...raw }: RawRequest, support: PushSupport): Promise<PushRequest> {
  if (!stream) return raw;
  const bytesMax = pushBytesMax(support);
  if (Number(raw.headers['content-length'] ?? 0) > bytesMax) throw tooLarge();
  if (support.inParts) return { ...raw, chunks: chunksOf(stream, bytesMax, partsTimeMs) };
  const chunks: Uint8Array[] = [];
  for await (const chunk of chunksOf(stream, bytesMax, wholeTimeMs)) chunks.push(chunk);
  return { ...raw, body: Buffer.concat(chunks) };
}
