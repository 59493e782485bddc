import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { expandSamples, packSamples, renderSample, renderSource, unpackSamples, type Sample } from '@pulsewire/contract';
import { isAppError } from '@pulsewire/kernel';
import { sample, source, subKind, timeseries } from './arbitraries.ts';

const batch = fc.record({
  row: timeseries,
  userId: fc.uuid(),
  sourceId: fc.nat(),
  source,
  subKind,
  samples: fc.array(sample, { maxLength: 40 }),
});

// JSON has no negative zero, and packed values end up as JSON.
function asJson(samples: readonly Sample[]): unknown {
  return JSON.parse(JSON.stringify(samples));
}

test('unpacking a packed batch restores every header field and every sample, in order', () => {
  fc.assert(
    fc.property(batch, ({ row, samples, ...rest }) => {
      const unpacked = unpackSamples(packSamples({ ...rest, resource: row.name }, samples));
      expect(unpacked.header).toEqual({ ...rest, resource: row.name });
      expect(asJson(unpacked.samples)).toEqual(asJson(samples));
    }),
    { numRuns: 1000 },
  );
});

test('the expanded text equals the JSON of the wire objects', () => {
  fc.assert(
    fc.property(batch, ({ row, samples, ...header }) => {
      const packed = packSamples({ ...header, resource: row.name }, samples);
      const data = samples.map((one) => renderSample(row, header.subKind, one));
      const wire = { user_id: header.userId, source_id: header.sourceId, source: renderSource(header.source), data };
      expect(expandSamples(packed)).toBe(JSON.stringify(wire));
    }),
    { numRuns: 1000 },
  );
});

function failureOf(run: () => unknown): unknown {
  try {
    run();
    return 'none';
  } catch (error) {
    return isAppError(error) ? error.code : error;
  }
}

test('a damaged batch is refused or read, and never causes another error', () => {
  fc.assert(
    fc.property(batch, fc.nat(), fc.integer({ min: 0, max: 255 }), ({ row, samples, ...header }, place, byte) => {
      const packed = packSamples({ ...header, resource: row.name }, samples);
      packed[place % packed.length] = byte;
      expect(['none', 'packed_samples_unreadable']).toContain(failureOf(() => unpackSamples(packed)));
      expect(['none', 'packed_samples_unreadable']).toContain(failureOf(() => expandSamples(packed)));
    }),
    { numRuns: 2000 },
  );
});
