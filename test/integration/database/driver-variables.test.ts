import { afterEach, expect, it, vi } from 'vitest';
import { openDatabase } from '@pulsewire/database';
import { useDatabase } from '../../support/database.ts';

const database = useDatabase();
afterEach(() => vi.unstubAllEnvs());

it.each([
  ['PGPREPARE', 'false'],
  ['PGMAX_PIPELINE', '0'],
  ['PGTARGETSESSIONATTRS', 'standby'],
  ['PGSSL', 'require'],
  ['PGFETCH_TYPES', ''],
  ['PGPORT', '1'],
])('transactions work whatever %s=%s asks of the driver', { timeout: 30_000 }, async (name, value) => {
  vi.stubEnv(name, value);
  const opened = openDatabase({ url: database.current.url, connectionsMax: 1, connectTimeoutSeconds: 3 });
  try {
    const rows = await opened.transaction(async ({ sql }) => {
      await sql`SELECT set_config('application_name', 'x', true)`;
      return sql<{ name: string }[]>`SELECT current_setting('application_name') AS name`;
    });
    expect(rows[0]?.name).toBe('x');
  } finally {
    await opened.close();
  }
});
