import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Compile } from 'typebox/schema';
import { expect, test } from 'vitest';
import { eventFamilies } from '@pulsewire/contract';

const root = path.join(import.meta.dirname, '../..');
const folder = path.join(root, 'schemas/events');

function read(name: string): unknown {
  return JSON.parse(readFileSync(path.join(folder, name), 'utf8'));
}

function check(schemaName: string, value: unknown): boolean {
  return Compile(read(schemaName) as object).Check(value);
}

test('the committed schemas and samples are those that the contract generates', () => {
  const output = execFileSync(process.execPath, [path.join(root, 'packages/contract/src/generate-schemas.ts'), '--check'], {
    encoding: 'utf8',
  });
  expect(output).toMatch(/ 0 changed, 0 surplus/);
});

test('the index has a schema for every event type', () => {
  const index = read('index.json') as Record<string, string>;
  const files = new Set(readdirSync(folder));
  const types = eventFamilies.flatMap(({ eventTypes }) => eventTypes);
  expect(Object.keys(index).toSorted()).toEqual(types.toSorted());
  for (const file of Object.values(index)) expect(files).toContain(file);
});

test.each(eventFamilies.map(({ name }) => name))('the golden sample of %s matches its schema and the envelope', (name) => {
  const sample = read(`samples/${name}.json`) as { data: object };
  expect(check(`${name}.json`, sample)).toBe(true);
  expect(check('envelope.json', sample)).toBe(true);
  // A schema that accepts anything would pass the assertions above.
  expect(check(`${name}.json`, { ...sample, data: {} })).toBe(false);
  expect(check(`${name}.json`, { ...sample, sixth_key: 1 })).toBe(false);
  expect(check(`${name}.json`, { ...sample, event_type: 'another.type' })).toBe(false);
});
