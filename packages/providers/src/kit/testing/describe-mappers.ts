import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import type { MappedRecords } from '../types/connector.ts';
import { misreadBlanks } from './blank-figures.ts';
import { goldenText, withoutRaw } from './golden-text.ts';
import { silentLosses } from './silent-losses.ts';
import { unsoundRecords } from './sound-records.ts';

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
      await expect(goldenText(mapped)).toMatchFileSnapshot(urlOf(`${name}.expected.json`).pathname);
    });

    it('produces valid summaries and samples', async () => {
      const { records } = map(await read(name));
      expect(records).not.toEqual([]);
      expect(unsoundRecords(records)).toEqual([]);
    });

    it('keeps the part of the response that each summary was mapped from, unchanged', async () => {
      expect(withoutRaw(map(await read(name)).records, await read(name))).toEqual([]);
    });

    it('reads a blank figure like one that is null', async () => {
      expect(misreadBlanks(map, await read(name))).toEqual([]);
    });

    it('loses no record to an item that it cannot read without setting something aside', async () => {
      expect(silentLosses(map, await read(name))).toEqual([]);
    });

    it.each(strangeBodies)('produces no record from %j and does not throw', (body) => {
      expect(map(body).records).toEqual([]);
    });
  });
}
