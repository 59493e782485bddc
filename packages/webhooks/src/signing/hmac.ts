import { createHmac, hash, type KeyObject } from 'node:crypto';

const blockBytes = 64;
const digestBytes = 32;
/** Above it hashing outweighs everything that is saved here. */
const messageBytesMax = 65_536;

/** The two blocks of RFC 2104 that a key gives, the outer one with room for the inner digest. */
interface KeyBlocks {
  readonly inner: Buffer;
  readonly outer: Buffer;
}

const blocksOf = new WeakMap<KeyObject, KeyBlocks>();
// The message behind the inner block, in one piece: what one call hashes needs no object that the collector must finish.
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
 * HMAC-SHA256 of `head` (ASCII) and `body`, base64. The same as `createHmac` for a third less time at a kilobyte, and without
 * an object per message whose memory lies outside the heap. Keys are at most a block (64 bytes) long.
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
