import { compressSync } from 'snappy';
import { describe, expect, it } from 'vitest';
import { decompressSnappy } from './snappy.ts';

const plain = Buffer.from('pulse '.repeat(1000));

/** As Java clients write it: a header, then each block after its length. */
function inBlocks(...blocks: readonly Buffer[]): Buffer {
  const head = Buffer.from([0x82, 0x53, 0x4e, 0x41, 0x50, 0x50, 0x59, 0, 0, 0, 0, 1, 0, 0, 0, 1]);
  const framed = blocks.flatMap((block) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(block.length);
    return [length, block];
  });
  return Buffer.concat([head, ...framed]);
}

describe('records compressed with snappy', () => {
  it('are read as librdkafka writes them, without blocks', async () => {
    expect(await decompressSnappy(compressSync(plain))).toEqual(plain);
  });

  it('are read as Java clients write them, in blocks', async () => {
    const bytes = inBlocks(compressSync(plain), compressSync(plain));
    expect(await decompressSnappy(bytes)).toEqual(Buffer.concat([plain, plain]));
  });

  it.each([
    ['a block ends early', inBlocks(compressSync(plain)).subarray(0, -1)],
    ['a length is incomplete', Buffer.concat([inBlocks(compressSync(plain)), Buffer.from([0])])],
    ['the bytes are of another codec', Buffer.from('not snappy')],
  ])('are refused when %s', async (_fault, bytes) => {
    await expect(decompressSnappy(bytes)).rejects.toThrow(/./);
  });
});
