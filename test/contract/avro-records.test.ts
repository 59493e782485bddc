import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { eventFamilies, expandSamples, packSamples, renderDate, renderDateTime } from '@pulsewire/contract';
import { findRecordType, recordTypes, unwrapAvro, wrapAvro, incompatibilities, incompatibility } from '@pulsewire/kafka';
import { errorCode } from '@pulsewire/kernel';
import { sample, source, subKind, timeseries } from './arbitraries.ts';

interface Schema {
  readonly type?: string;
  readonly format?: string;
  readonly const?: unknown;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

const instant = fc.integer({ min: Date.UTC(1900, 0, 1), max: Date.UTC(2200, 0, 1) });
const texts: Readonly<Record<string, fc.Arbitrary<string>>> = {
  'date-time': instant.map(renderDateTime),
  date: instant.map(renderDate),
  uuid: fc.uuid(),
};
const number = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
  fc.integer().map((value) => value / 100 + 0),
);

/** Any value of a schema, with its keys in the schema's order and every optional key present or absent. */
function valueOf(schema: Schema, isComplete: boolean): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((one) => valueOf(one, isComplete)));
  if (schema.type === 'null') return fc.constant(null);
  if (schema.type === 'boolean') return fc.boolean();
  if (schema.type === 'integer') return fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }).map((value) => value * 2 ** 20);
  if (schema.type === 'number') return number;
  if (schema.type === 'string') return texts[schema.format ?? ''] ?? fc.string({ unit: 'grapheme' });
  if (schema.items) return fc.array(valueOf(schema.items, isComplete), { maxLength: 4 });
  const [item] = Object.values(schema.patternProperties ?? {});
  if (item)
    return fc.dictionary(
      fc.string().filter((key) => key !== '__proto__'),
      valueOf(item, isComplete),
      { maxKeys: 4, noNullPrototype: true },
    );
  const entries = Object.entries(schema.properties ?? {});
  const isOmissible = ([key, value]: [string, Schema]) =>
    !schema.required?.includes(key) && (!isComplete || (value.type !== 'null' && !value.anyOf?.some((one) => one.type === 'null')));
  return fc
    .tuple(
      ...entries.map((entry) =>
        isOmissible(entry) ? fc.option(valueOf(entry[1], isComplete), { nil: undefined }) : valueOf(entry[1], isComplete),
      ),
    )
    .map((values) => Object.fromEntries(entries.flatMap(([key], index) => (values[index] === undefined ? [] : [[key, values[index]]]))));
}

const objectFamilies = eventFamilies.filter(({ eventTypes }) => findRecordType(eventTypes[0] ?? '')?.schema.series === undefined);

describe('the record of an event', () => {
  test.each(objectFamilies.map((family) => [family.name, family] as const))(
    'restores the data of %s byte for byte',
    (_name, { eventTypes, data }) => {
      const record = findRecordType(eventTypes[0] ?? '');
      fc.assert(
        fc.property(valueOf(data as Schema, true), (value) => {
          const json = JSON.stringify(value);
          const { bytes, isExact } = record?.encode({ kind: 'json', json }) ?? { bytes: Buffer.alloc(0), isExact: false };
          expect(isExact).toBe(true);
          expect(record?.reader.toJson(bytes)).toBe(json);
        }),
        { numRuns: 100 },
      );
    },
  );

  test('restores packed samples as exactly their expanded text, or refuses them', () => {
    let exact = 0;
    fc.assert(
      fc.property(
        timeseries,
        fc.uuid(),
        fc.nat(),
        source,
        subKind,
        fc.array(sample, { minLength: 1, maxLength: 20 }),
        (row, userId, sourceId, ref, kind, samples) => {
          const packed = packSamples({ userId, sourceId, source: ref, resource: row.name, subKind: kind }, samples);
          const record = findRecordType(row.events.created);
          try {
            const { bytes } = record?.encode({ kind: 'samples', packed }) ?? { bytes: Buffer.alloc(0) };
            expect(record?.reader.toJson(bytes)).toBe(expandSamples(packed));
            exact += 1;
          } catch (error) {
            expect(errorCode(error)).toBe('not_representable');
          }
        },
      ),
      { numRuns: 1500 },
    );
    expect(exact).toBeGreaterThan(200);
  });

  test('is reported as inexact whenever the restored text would differ', () => {
    const lies = fc.check(
      fc.property(
        fc
          .constantFrom(...objectFamilies)
          .chain(({ eventTypes, data }) =>
            fc.tuple(fc.constant(eventTypes[0] ?? ''), valueOf(data as Schema, false), fc.boolean(), fc.boolean()),
          ),
        ([eventType, value, isReversed, isSpaced]) => {
          const entries = Object.entries(value as object);
          const shuffled = Object.fromEntries(isReversed ? entries.toReversed() : entries);
          const json = JSON.stringify(shuffled, null, isSpaced ? 1 : 0);
          const record = findRecordType(eventType);
          const { bytes, isExact } = record?.encode({ kind: 'json', json }) ?? { bytes: Buffer.alloc(0), isExact: true };
          return !isExact || record?.reader.toJson(bytes) === json;
        },
      ),
      { numRuns: 500 },
    );
    expect(lies.counterexample).toBeNull();
  });

  test.each([
    ['a key that is not in the schema', { extra: 1 }, 'unknown_key'],
    ['text instead of a number', { steps: 'many' }, 'not_an_integer'],
    ['a fraction instead of an integer', { steps: 1.5 }, 'not_an_integer'],
    ['a nonexistent day', { calendar_date: '2026-02-31' }, 'not_a_day'],
  ])('is refused for %s, with a reason that contains no value', (_name, change, reason) => {
    const record = findRecordType('daily.data.activity.created');
    const whole = fc.sample(
      valueOf((record ? eventFamilies.find(({ name }) => name === 'daily.data.activity')?.data : {}) as Schema, true),
      1,
    )[0] as object;
    expect(() => record?.encode({ kind: 'json', json: JSON.stringify({ ...whole, ...change }) })).toThrow(
      expect.objectContaining({ code: 'not_representable', details: expect.objectContaining({ reason }) }),
    );
  });

  test('exists for every event type of a family, under a distinct name', () => {
    for (const { eventTypes } of eventFamilies) for (const type of eventTypes) expect(findRecordType(type)?.eventTypes).toContain(type);
    expect(new Set(recordTypes.map(({ name }) => name)).size).toBe(recordTypes.length);
  });
});

describe('the wire format', () => {
  test('has the schema number before the bytes', () => {
    expect(unwrapAvro(wrapAvro(70_000, Buffer.from('abc')))).toEqual({ schemaId: 70_000, avro: Buffer.from('abc') });
    expect(unwrapAvro(Buffer.from([1, 0, 0, 0, 1]))).toBeNull();
    expect(unwrapAvro(Buffer.from([0, 1]))).toBeNull();
  });
});

describe('a change of a schema', () => {
  const record = (...fields: { name: string; type: string | string[]; default?: unknown }[]) => ({
    type: 'record',
    name: 'R',
    namespace: 'x',
    fields,
  });
  test.each([
    ['a new field with a default', record({ name: 'a', type: 'long' }, { name: 'b', type: ['null', 'long'], default: null }), null],
    ['a new field without a default', record({ name: 'a', type: 'long' }, { name: 'b', type: 'long' }), 'new_cannot_read_old'],
    ['a removed field', record(), 'old_cannot_read_new'],
    ['another type', record({ name: 'a', type: 'string' }), 'new_cannot_read_old'],
  ])('%s is checked for compatibility in both directions', (_name, newer, verdict) => {
    expect(incompatibility(record({ name: 'a', type: 'long' }), newer)).toBe(verdict);
  });

  test('that breaks an earlier version is reported with its file, as is a missing record', () => {
    const earlier: [string, string][] = [
      ['Steps.1.avsc', JSON.stringify(record({ name: 'a', type: 'long' }))],
      ['Steps.2.avsc', JSON.stringify(record({ name: 'a', type: 'long' }, { name: 'b', type: ['null', 'long'], default: null }))],
      ['Gone.1.avsc', JSON.stringify(record())],
    ];
    const narrowed = record({ name: 'a', type: 'long' }, { name: 'b', type: ['null', 'string'], default: null });
    expect(incompatibilities(earlier, [{ name: 'Steps', schema: narrowed }])).toEqual([
      'Steps.2.avsc: new_cannot_read_old',
      'Gone.1.avsc: the record is gone',
    ]);
    const same = record({ name: 'a', type: 'long' }, { name: 'b', type: ['null', 'long'], default: null });
    expect(incompatibilities(earlier.slice(0, 2), [{ name: 'Steps', schema: same }])).toEqual([]);
  });
});
