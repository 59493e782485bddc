import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { isRawResource } from '@pulsewire/contract';
import type { MappedRecords } from '../types/connector.ts';
import { unsoundRecords } from './sound-records.ts';

/** Repeats the response, which is beside the golden file. */
const withoutRaw = (key: string, value: unknown): unknown => (key === 'raw' ? undefined : value);

/** The JSON text of every value in a body, at any depth. */
function valuesIn(value: unknown): string[] {
  const inner = typeof value === 'object' && value !== null ? Object.values(value).flatMap(valuesIn) : [];
  return [JSON.stringify(value) ?? '', ...inner];
}

/** Whether a raw form is a value of the body, or an object of such values: several may describe one record. */
function isPartOf(values: ReadonlySet<string>, raw: unknown): boolean {
  if (typeof raw !== 'object' || raw === null) return false;
  if (values.has(JSON.stringify(raw))) return true;
  const parts = Object.values(raw).flatMap((part: unknown) => (Array.isArray(part) ? (part as unknown[]) : [part]));
  return parts.length > 0 && parts.every((part) => values.has(JSON.stringify(part)));
}

/** Bodies from which a mapper must produce no record, without failing. */
export const strangeBodies: readonly unknown[] = [
  undefined,
  null,
  7,
  'text',
  [],
  {},
  [null],
  [{}],
  { data: 5 },
  { data: [null] },
  { data: [{}] },
  { body: {} },
  { records: [{}] },
];

/**
 * The golden tests of a provider: each mapper by the name of its fixture. `fixtures/<name>.json` is the response (synthetic, with
 * the documented field names), `fixtures/<name>.expected.json` the expected result: written by `vitest -u`; review it before
 * you commit it. `testUrl` is the test's own `import.meta.url`.
 */
export function describeMappers(testUrl: string, mappers: Readonly<Record<string, (body: unknown) => MappedRecords>>): void {
  const urlOf = (file: string) => new URL(`fixtures/${file}`, testUrl);
  const read = async (name: string): Promise<unknown> => JSON.parse(await readFile(urlOf(`${name}.json`), 'utf8'));

  describe.each(Object.entries(mappers))('%s', (name, map) => {
    it('produces the records of its golden file', async () => {
      const mapped = map(await read(name));
      await expect(`${JSON.stringify(mapped, withoutRaw, 2)}\n`).toMatchFileSnapshot(urlOf(`${name}.expected.json`).pathname);
    });

    it('produces valid summaries and samples', async () => {
      const { records } = map(await read(name));
      expect(records).not.toEqual([]);
      expect(unsoundRecords(records)).toEqual([]);
    });

    it('keeps the part of the response that each summary was mapped from, unchanged', async () => {
      const { records } = map(await read(name));
      const values = new Set(valuesIn(await read(name)));
      const lost = records.filter((record) => record.kind === 'summary' && isRawResource(record.resource) && !isPartOf(values, record.raw?.data));
      expect(lost).toEqual([]);
    });

    it.each(strangeBodies)('produces no record from %j and does not throw', (body) => {
      expect(map(body).records).toEqual([]);
    });
  });
}
