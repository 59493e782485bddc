import { expect, it } from 'vitest';
import { memoryBounds, shareOfWorker } from './memory-bounds.ts';

it('workers share the bounds on memory, and the largest body of one sender fits into each of them', () => {
  const { bytesMax, providerBytesMax, senderBytesMin } = memoryBounds.phones;
  expect(shareOfWorker(memoryBounds.phones, 1)).toEqual({ bytesMax, providerBytesMax });
  expect(shareOfWorker(memoryBounds.phones, 2)).toEqual({ bytesMax: bytesMax / 2, providerBytesMax: providerBytesMax / 2 });
  expect(shareOfWorker(memoryBounds.phones, 64)).toEqual({ bytesMax: 2 * senderBytesMin, providerBytesMax: senderBytesMin });
});
