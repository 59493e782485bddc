import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { sliceBytes, sliceReads } from './slice-reads.ts';

function connection(bytes: number) {
  const stream = new Readable({ read() {} });
  stream.push(Buffer.alloc(bytes, 'x'));
  stream.push(null);
  sliceReads(stream);
  return stream;
}

it('delivers everything in order, one slice at a time, and then ends', async () => {
  const stream = connection(10 * sliceBytes + 7);
  const sizes: number[] = [];
  stream.on('readable', () => {
    for (let chunk = stream.read() as Buffer | null; chunk !== null; chunk = stream.read() as Buffer | null) sizes.push(chunk.length);
  });
  await new Promise((resolve) => stream.once('end', resolve));
  expect(sizes).toEqual([...Array.from({ length: 10 }, () => sliceBytes), 7]);
});

it('delivers nothing after the slice during which the reader destroys it', () => {
  const stream = connection(64 * 1024);
  let given = 0;
  for (let chunk = stream.read() as Buffer | null; chunk !== null; chunk = stream.read() as Buffer | null) {
    given += chunk.length;
    if (given > 16_384) stream.destroy();
  }
  expect(given).toBe(17 * sliceBytes);
});
