import { expect, test } from 'vitest';
import { jsonFault, type JsonBounds } from './json-depth.ts';

const bounds: JsonBounds = { depthMax: 4, valuesMax: 10, itemsMax: 5, keysMax: 3 };
const fault = (text: string) => jsonFault(Buffer.from(text), bounds);
const list = (count: number, item: string) => `[${Array.from({ length: count }, () => item).join(',')}]`;

test('allows texts within every bound, and commas in texts', () => {
  expect(fault(`{"a":${list(5, '{}')},"b":${list(3, '1')}}`)).toBeNull();
  expect(fault(`["${','.repeat(100)}","\\",${','.repeat(100)}"]`)).toBeNull();
});

test.each([
  ['a list with too many items', list(6, '{}')],
  ['an object with too many keys', '{"a":1,"b":1,"c":1,"d":1}'],
  ['too many values in all', list(5, list(3, '1'))],
  ['commas without values', ','.repeat(20)],
  ['more closings than openings', `${']'.repeat(9)}${list(6, '1')}`],
])('jsonFault refuses a document with %s', (_, text) => {
  expect(fault(text)).toBe('too_many_values');
});

test('refuses a text that is nested too deeply', () => {
  expect(fault('[[[[[')).toBe('too_deep');
});

test('does not limit the values of twenty megabytes beyond what a phone needs', () => {
  const item =
    '{"id":"01234567-89ab-cdef-0123-456789abcdef","type":"STEP_COUNT","value":"1","unit":"count","source":{"appId":"com.example"}}';
  expect(jsonFault(Buffer.from(`{"data":{"records":${list(100_000, item)}}}`))).toBeNull();
});
