import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { mapPhoneBatch, type PhoneProvider } from '@pulsewire/providers';
import { readAppleExport } from './apple-xml.ts';
import { emptyBatch, type ExportBatch } from './export-batch.ts';
import { healthConnectRows } from './health-connect-rows.ts';
import { valueTables } from './health-connect-tables.ts';
import type { ExportFile } from './open-export.ts';

const pathOf = (file: string) => fileURLToPath(new URL(`fixtures/${file}`, import.meta.url));

function golden(provider: PhoneProvider, batch: ExportBatch): string {
  const user = {
    userId: 'b3f0c1de-0000-4000-8000-000000000001',
    provider,
    timeZone: 'Europe/Lisbon',
    isZoneOfUser: true,
    birthDate: '1985-06-01',
    receivedAtMs: Date.parse('2026-01-22T12:00:00Z'),
  };
  return `${JSON.stringify({ items: batch, mapped: mapPhoneBatch(batch, user) }, null, 2)}\n`;
}

async function fileOf(path: string): Promise<ExportFile> {
  const name = pathOf(`apple${path}`);
  return { path, bytes: (await stat(name)).size, open: async () => createReadStream(name) };
}

it('reads an export of Apple Health into the records of its golden file', async () => {
  const paths = ['/workout-routes/route_2026-01-04_4.40pm.gpx', '/electrocardiograms/ecg_2026-01-04.csv'];
  const files = new Map(await Promise.all(paths.map(async (path) => [path, await fileOf(path)] as const)));
  const xml = pathOf('apple/export.xml');
  const batch = emptyBatch();
  for await (const part of readAppleExport({ stream: createReadStream(xml), bytes: (await stat(xml)).size, files })) {
    for (const list of ['records', 'sleep', 'workouts', 'electrocardiograms'] as const) batch[list].push(...part.batch[list]);
    expect(part.skipped).toEqual([]);
  }
  await expect(golden('apple_health_kit', batch)).toMatchFileSnapshot(pathOf('apple.expected.json'));
});

it('reads a database of Health Connect into the records of its golden file', async () => {
  const database = new DatabaseSync(':memory:');
  const sql = await readFile(pathOf('health-connect.sql'), 'utf8');
  database.exec(sql);
  const batch = emptyBatch();
  for (const { list, items } of healthConnectRows(database)) batch[list].push(...items);
  database.close();
  expect(valueTables.filter(({ table }) => !sql.includes(`INSERT INTO ${table} `))).toEqual([]);
  await expect(golden('health_connect', batch)).toMatchFileSnapshot(pathOf('health-connect.expected.json'));
});
