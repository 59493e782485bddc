import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { renderDateTime, renderSample, renderSampleJson, sampleJsonBytesMax } from '@pulsewire/contract';
import { sample, subKind, timeseries } from './arbitraries.ts';

test('the fast rendering of a sample equals the JSON of its wire object, for every series', () => {
  fc.assert(
    fc.property(timeseries, subKind, sample, (row, kind, one) => {
      const text = renderSampleJson(row, kind, one);
      const object = renderSample(row, kind, one);
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(object)));
      expect(text).toBe(JSON.stringify(object));
    }),
    { numRuns: 2000 },
  );
});

test('no sample is rendered longer than the bound that limits batches', () => {
  fc.assert(
    fc.property(timeseries, subKind, sample, (row, kind, one) => {
      const bytes = Buffer.byteLength(`${renderSampleJson(row, kind, one)},`);
      expect(sampleJsonBytesMax(one, row, kind)).toBeGreaterThanOrEqual(bytes);
    }),
    { numRuns: 2000 },
  );
});

test('a rendered instant equals the one that Date produces, written with +00:00', () => {
  fc.assert(
    fc.property(fc.integer({ min: -62_135_596_800_000, max: 253_402_300_799_999 }), (ms) => {
      expect(renderDateTime(ms)).toBe(new Date(ms).toISOString().replace('.000Z', 'Z').replace('Z', '+00:00'));
    }),
    { numRuns: 2000 },
  );
});
