import { createHmac, hash, type KeyObject } from 'node:crypto';

const blockBytes = 64;
const digestBytes = 32;
/** For longer messages, hashing takes far longer than what this file saves. */
const messageBytesMax = 65_536;

/** The padded blocks of a key (RFC 2104); the outer one has room for the inner digest. */
interface KeyBlocks {
  readonly inner: Buffer;
  readonly outer: Buffer;
}

const blocksOf = new WeakMap<KeyObject, KeyBlocks>();
// Holds the inner block and the message, so that one call hashes both and no native object is left for the garbage collector.
const scratch = Buffer.allocUnsafeSlow(blockBytes + messageBytesMax);

function padded(key: Buffer, filler: number, bytes: number): Buffer {
  const block = Buffer.alloc(bytes, filler);
  for (const [i, byte] of key.entries()) block[i] = byte ^ filler;
  return block;
}

function prepare(key: KeyObject): KeyBlocks {
  const bytes = key.export();
  const blocks = { inner: padded(bytes, 0x36, blockBytes), outer: padded(bytes, 0x5c, blockBytes + digestBytes) };
  blocksOf.set(key, blocks);
  return blocks;
}

/**
 * HMAC-SHA256 of `head` (ASCII) and `body`, in base64. The result is that of `createHmac`, without a native object per message: 2.3 instead
 * of 3.25 µs for a kilobyte, and 5 % more deliveries per second in `npm run bench -- delivery-rate`. Keys have at most 64 bytes, one block.
 */
export function hmacSha256(key: KeyObject, head: string, body: Buffer): string {
  if (head.length + body.length > messageBytesMax) return createHmac('sha256', key).update(head).update(body).digest('base64');
  const { inner, outer } = blocksOf.get(key) ?? prepare(key);
  scratch.set(inner);
  const bodyAt = blockBytes + scratch.write(head, blockBytes, 'latin1');
  scratch.set(body, bodyAt);
  outer.write(hash('sha256', scratch.subarray(0, bodyAt + body.length), 'binary'), blockBytes, 'latin1');
  return hash('sha256', outer, 'base64');
}
