import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, inject } from 'vitest';
import { openDatabase, type Database } from '@pulsewire/database';
import { applySettings, hostileSettings } from './hostile-settings.ts';
import { createDatabase, dropDatabase, extendTemplate } from '@pulsewire/database/testing';
import { systemClock } from '@pulsewire/kernel';

async function withLabData(adminUrl: string, template: string): Promise<string> {
  return extendTemplate(adminUrl, template, 'labs', async (url) => {
    // Only tests of labs need the package.
    const { loadLabData } = await import('@pulsewire/labs');
    const database = openDatabase({ url, name: 'test', connectionsMax: 1 });
    try {
      await loadLabData(database, systemClock);
    } finally {
      await database.close();
    }
  });
}

/**
 * Creates a database for this test file, cloned from the migrated template and dropped at the end. `hasLabData`: with the catalogue, ZIP
 * areas and service centers. `settings`: of the database, as an operator may have them; `POSTGRES_SETTINGS=hostile` gives every database of
 * the run those of `hostileSettings`. Call it at the top of the file; the database exists from `beforeAll` on.
 */
export function useDatabase(
  options: { readonly connectionsMax?: number; readonly hasLabData?: boolean; readonly settings?: readonly string[] } = {},
): {
  readonly current: Database;
  readonly url: string;
} {
  const name = `pulsewire_${randomBytes(6).toString('hex')}`;
  let database: Database | undefined;
  let url = '';
  beforeAll(async () => {
    const template = inject('template');
    const source = options.hasLabData ? await withLabData(inject('adminUrl'), template) : template;
    url = await createDatabase(inject('adminUrl'), name, source);
    const settings = options.settings ?? (inject('hostile') ? hostileSettings : []);
    await applySettings(url, settings);
    database = openDatabase({ url, name: 'test', connectionsMax: options.connectionsMax ?? 10 });
  });
  afterAll(async () => {
    await database?.close();
    await dropDatabase(inject('adminUrl'), name);
  });
  return {
    get current() {
      if (!database) throw new Error('useDatabase: the database does not exist before beforeAll');
      return database;
    },
    get url() {
      return url;
    },
  };
}
