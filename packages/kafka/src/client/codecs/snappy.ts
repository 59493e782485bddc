import { uncompress } from 'snappy';

// Java clients and brokers wrap blocks of snappy: a magic, two versions, then each block after its length.
const magic = Buffer.from([0x82, 0x53, 0x4e, 0x41, 0x50, 0x50, 0x59, 0]);
const headBytes = 16;

/** Decompresses snappy as Kafka's clients write it: in blocks (Java), or bare (librdkafka). */
export async function decompressSnappy(bytes: Buffer): Promise<Buffer> {
  if (!bytes.subarray(0, magic.length).equals(magic)) return uncompressBlock(bytes);
  const blocks: Buffer[] = [];
  for (let at = headBytes; at < bytes.length;) {
    const end = at + 4 + bytes.readUInt32BE(at);
    if (end > bytes.length) throw new RangeError('A block of snappy ends beyond its batch');
    blocks.push(await uncompressBlock(bytes.subarray(at + 4, end)));
    at = end;
  }
  return Buffer.concat(blocks);
}

async function uncompressBlock(block: Buffer): Promise<Buffer> {
  return (await uncompress(block, { asBuffer: true })) as Buffer;
}
