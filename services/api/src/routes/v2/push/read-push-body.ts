import type { PushSupport } from '@pulsewire/providers';
import type { ByteReservation } from '@pulsewire/ingest';
import { bodyChunks, bodyTooLarge } from '../../../http/requests/body-chunks.ts';
import type { RawRequest } from '../../../context/raw-request.ts';
import type { PushRequest } from '../../../context/push.ts';

/** Deadline for a whole body. Streamed ones may take longer, because the provider's own deadline starts at their end. */
const wholeTimeMs = 30_000;
const partsTimeMs = 120_000;

/**
 * A call with its body: complete, or streamed if the provider's pushes are too large for memory. Limited to the provider's declared
 * push size. Bytes in memory are counted in `hold`, which the caller releases. Throws AppError `body_too_large`,
 * `body_not_received` or `push_capacity_exceeded`; `chunks` too.
 */
export async function readPushBody({ stream, ...raw }: RawRequest, support: PushSupport, hold?: ByteReservation): Promise<PushRequest> {
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
