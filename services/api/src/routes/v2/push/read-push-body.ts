import type { PushSupport } from '@pulsewire/providers';
import type { ByteHold } from '@pulsewire/ingest';
import { bodyChunks, bodyTooLarge } from '../../../http/body-chunks.ts';
import type { RawRequest } from '../../../context/raw-request.ts';
import type { PushRequest } from '../../../context/push.ts';

/** Whoever sends a whole body slower than this is cut off. Large ones may take longer: the provider's own deadline runs from their end. */
const wholeTimeMs = 30_000;
const partsTimeMs = 120_000;

/**
 * A call with its body: whole, or as it arrives where the provider's pushes are too large to be held. No longer than the provider says that
 * its pushes are. What is in memory of it is counted in `hold`, which the caller releases. Throws AppError `body_too_large`,
 * `body_not_received` or `slots_taken`; `chunks` too.
 */
export async function readPushBody({ stream, ...raw }: RawRequest, support: PushSupport, hold?: ByteHold): Promise<PushRequest> {
  if (!stream) return raw;
  const { bodyBytesMax: bytesMax } = support;
  if (Number(raw.headers['content-length'] ?? 0) > bytesMax) throw bodyTooLarge();
  if (support.inParts) {
    const arriving = bodyChunks(stream, { bytesMax, timeMs: partsTimeMs, of: 'whole' });
    return { ...raw, chunks: arriving, ...(hold && { hold }) };
  }
  const chunks: Uint8Array[] = [];
  for await (const chunk of bodyChunks(stream, { bytesMax, timeMs: wholeTimeMs, of: 'whole' })) {
    hold?.add(chunk.length);
    chunks.push(chunk);
  }
  return { ...raw, body: Buffer.concat(chunks) };
}
