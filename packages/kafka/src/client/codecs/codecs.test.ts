import { gzipSync } from 'node:zlib';
import kafkajs from 'kafkajs';
import { expect, it } from 'vitest';
import { recordsUnreadable, registerCodecs } from './codecs.ts';

const { CompressionCodecs, CompressionTypes } = kafkajs;

it('reads records compressed with gzip, but none that unfold to more than a hundred megabytes', async () => {
  for (let clients = 0; clients < 2; clients += 1) registerCodecs();
  const { compress, decompress } = CompressionCodecs[CompressionTypes.GZIP]();
  const written = await compress({ buffer: Buffer.from('pulse') });
  expect(await decompress(written)).toEqual(Buffer.from('pulse'));
  await expect(decompress(gzipSync(Buffer.alloc(101 * 2 ** 20)))).rejects.toMatchObject({ type: recordsUnreadable });
});
