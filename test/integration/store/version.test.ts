import { expect, test } from 'vitest';
import { drawVersion } from '@pulsewire/store';
import { useDatabase } from '../../support/database.ts';

const database = useDatabase({ connectionsMax: 8 });

test('versions keep rising in every process after their sequence was set back', async () => {
  const { current } = database;
  await current.sql`SELECT setval('receipt_versions', 4990)`;
  let highest = 0n;
  for (let i = 0; i < 50; i++) highest = await drawVersion(current);
  await current.sql`SELECT setval('receipt_versions', 3)`;
  const drawn = await Promise.all(Array.from({ length: 40 }, () => drawVersion(current)));
  expect(new Set(drawn).size).toBe(40);
  expect(drawn.every((version) => version > highest)).toBe(true);
  expect(await drawVersion(current)).toBeGreaterThan(drawn.reduce((most, version) => (version > most ? version : most)));
});
