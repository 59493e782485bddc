import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { checkDataFormat } from './data-format.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'pulsewire-format-'));
});
afterEach(() => rm(folder, { recursive: true }));

const file = () => path.join(folder, 'format.json');

it('records the form of a new data folder, and accepts it again', async () => {
  await checkDataFormat(folder, { records: true });
  expect(JSON.parse(await readFile(file(), 'utf8'))).toEqual({ format: 1 });
  await expect(checkDataFormat(folder, { records: true })).resolves.toBeUndefined();
});

it('refuses a data folder that a newer version has written, with what to do', async () => {
  await writeFile(file(), '{"format": 2}');
  await expect(checkDataFormat(folder, { records: true })).rejects.toMatchObject({
    code: 'data_format_newer',
    message: expect.stringMatching(/newer version \(format 2; this version knows 1\).*restore a copy/),
  });
});

it('changes nothing for a command, and names a damaged file', async () => {
  await checkDataFormat(folder, { records: false });
  await expect(readFile(file())).rejects.toMatchObject({ code: 'ENOENT' });
  await writeFile(file(), 'format');
  await expect(checkDataFormat(folder, { records: false })).rejects.toMatchObject({ code: 'data_format_unreadable' });
});
