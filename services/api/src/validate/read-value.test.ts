import { describe, expect, it } from 'vitest';
import { Type, type TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { closedEnum, optional, Uuid, type ValidationError } from '@pulsewire/contract';
import { readValue } from './read-value.ts';
import type { RequestPart } from './schema-node.ts';

function read(schema: TSchema, value: unknown, part: RequestPart = 'body') {
  const errors: ValidationError[] = [];
  const result = readValue(schema, value, [part], { part, errors });
  return { result, errors: errors.map(({ loc, type }) => `${loc.slice(1).join('.')} ${type}`) };
}

describe('readValue', () => {
  it('converts the text of a query to numbers, booleans and lists, but converts nothing in a body', () => {
    const schema = Type.Object({
      n: Type.Integer(),
      f: Type.Number(),
      b: Type.Boolean(),
      l: Type.Array(Type.String()),
      one: Type.String(),
    });
    const query = { n: '7', f: '-1.5e2', b: 'true', l: 'single', one: ['first', 'last'] };
    expect(read(schema, query, 'query').result).toEqual({ n: 7, f: -150, b: true, l: ['single'], one: 'last' });
    expect(read(schema, query, 'body').errors).toEqual([
      'n int_type',
      'f float_parsing',
      'b bool_parsing',
      'l list_type',
      'one string_type',
    ]);
  });

  it('counts characters of a text, not UTF-16 units', () => {
    const schema = Type.String({ minLength: 2, maxLength: 3 });
    const lengths = ['a', 'ab', 'abc', 'abcd', '🙂', '🙂🙂', '🙂🙂🙂', '🙂🙂🙂🙂', 'a🙂', 'e\u0301'].map(
      (text) => read(schema, text).errors,
    );
    const [short, long] = [[' string_too_short'], [' string_too_long']];
    expect(lengths).toEqual([short, [], [], long, short, [], [], long, [], []]);
    expect(read(Type.String({ maxLength: 512 }), 'x'.repeat(1_000_000)).errors).toEqual(long);
  });

  it('bounds a text of a body whose schema has no bound of its own', () => {
    const lengths = [4000, 4001].map((length) => read(Type.String(), 'x'.repeat(length), 'body').errors);
    expect(lengths).toEqual([[], [' string_too_long']]);
    const long = Type.String({ 'x-length-max': 250_000 });
    expect([250_000, 250_001].map((length) => read(long, 'x'.repeat(length), 'body').errors)).toEqual([[], [' string_too_long']]);
  });

  it('fills in defaults, drops unknown keys and lower-cases ids', () => {
    const schema = Type.Object({ id: Uuid, limit: Type.Integer({ default: 50 }) });
    const id = 'B3F0C1DE-0000-4000-8000-000000000001';
    expect(read(schema, { id, __proto__: null, extra: 1 }).result).toEqual({ id: id.toLowerCase(), limit: 50 });
  });

  it('supports both notations of a nullable value', () => {
    const schema = Type.Object({
      a: optional(Type.Integer({ minimum: 1 })),
      b: Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], enum: ['x', 'y', null] })),
      c: Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: 2 })),
    });
    expect(read(schema, { a: null, b: null, c: null })).toEqual({ result: { a: null, b: null, c: null }, errors: [] });
    expect(read(schema, {}).errors).toEqual([]);
    expect(read(schema, { a: 0, b: 'z', c: 'long' }).errors).toEqual(['a greater_than_equal', 'b enum', 'c string_too_long']);
  });

  it('validates a value of a union against the branch of its own kind', () => {
    const schema = Type.Object({ a: Type.Union([closedEnum(['preset']), Type.Array(Type.Integer({ minimum: 1 })), Type.Null()]) });
    for (const a of ['preset', [1, 2], null]) expect(read(schema, { a })).toEqual({ result: { a }, errors: [] });
    expect(read(schema, { a: 'other' }).errors).toEqual(['a enum']);
    expect(read(schema, { a: [1, 0] }).errors).toEqual(['a.1 greater_than_equal']);
    expect(read(schema, { a: 7 }).errors).toEqual(['a enum']);
  });

  it('reports positions in lists and records, up to a maximum number of errors', () => {
    const schema = Type.Object({ items: Type.Array(Type.Object({ n: Type.Integer() })), map: Type.Record(Type.String(), Type.String()) });
    expect(read(schema, { items: [{ n: 1 }, {}, 5], map: { k: 1 } }).errors).toEqual([
      'items.1.n missing',
      'items.2 model_attributes_type',
      'map.k string_type',
    ]);
    expect(read(schema, { items: Array.from({ length: 5000 }, () => 0), map: {} }).errors).toHaveLength(200);
  });

  it('agrees with TypeBox on what is valid in a body', () => {
    const schema = Type.Object({
      text: Type.String({ minLength: 2, maxLength: 3, pattern: '^[a-z]+$' }),
      whole: Type.Integer({ minimum: 0, maximum: 9 }),
      flag: Type.Boolean(),
      choice: closedEnum(['a', 'b']),
      literal: Type.Literal('redirect'),
      maybe: optional(Type.String()),
      list: Type.Array(Type.Integer(), { minItems: 1, maxItems: 2 }),
    });
    const good = { text: 'abc', whole: 3, flag: true, choice: 'a', literal: 'redirect', maybe: null, list: [1] };
    const validator = Compile(schema);
    const others = ['', 'a', 'abcd', 'AB', 'ab', 0, 9, 10, -1, 1.5, null, true, [], [1], [1, 2, 3], ['1'], {}, 'a', 'redirect'];
    for (const key of Object.keys(good)) {
      for (const other of others) {
        const value = { ...good, [key]: other };
        expect([value, read(schema, value).errors.length === 0]).toEqual([value, validator.Check(value)]);
      }
    }
  });
});
