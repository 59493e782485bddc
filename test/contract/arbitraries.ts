import * as fc from 'fast-check';
import { resources, type Sample, type SourceRef, type TimeseriesResource } from '@pulsewire/contract';

export const timeseries = fc.constantFrom(...resources.filter((row): row is TimeseriesResource => row.kind === 'timeseries'));

const hour = 3_600_000;
const instants = fc.oneof(
  fc.integer({ min: Date.UTC(1970, 0, 1), max: Date.UTC(2100, 0, 1) }),
  fc.integer({ min: 0, max: 800_000 }).map((hours) => hours * hour),
  fc.integer({ min: -1e15, max: 1e15 }),
);
const numbers = fc.oneof(
  fc.integer({ min: -5, max: 300 }),
  fc.integer({ min: -10_000, max: 100_000 }).map((number) => number / 100),
  fc.double({ noDefaultInfinity: true, noNaN: true }),
);
const json = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constant(null),
  fc.array(fc.string(), { maxLength: 3 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);
const extra = fc.dictionary(
  fc.constantFrom('text', 'type', 'sensor_location', 'tags', 'delivery_mode', 'bolus_purpose', 'intensity', 'unknown'),
  json,
  { noNullPrototype: true },
);

export const sample: fc.Arbitrary<Sample> = fc
  .record(
    {
      ts: instants,
      length: fc.option(fc.oneof(fc.constant(60_000), fc.integer({ min: -1000, max: 10 * hour })), { nil: undefined }),
      value: fc.option(numbers),
      value2: numbers,
      timezoneOffset: fc.option(fc.oneof(fc.constant(3600), fc.integer({ min: -50_400, max: 50_400 }))),
      extra,
    },
    { requiredKeys: ['ts', 'length', 'value', 'timezoneOffset'], noNullPrototype: true },
  )
  .map(({ length, ...rest }) => ({ ...rest, ...(length === undefined ? {} : { end: rest.ts + length }) }));

export const subKind = fc.option(fc.string({ unit: 'binary' }), { nil: undefined });

export const source: fc.Arbitrary<Required<Omit<SourceRef, 'device'>>> = fc.record({
  provider: fc.string(),
  type: fc.string(),
  appId: fc.option(fc.string()),
  deviceId: fc.option(fc.uuid()),
  sport: fc.option(fc.string()),
  workoutId: fc.option(fc.uuid()),
});
