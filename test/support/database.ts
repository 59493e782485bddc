import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, inject } from 'vitest';
import { openDatabase, type Database } from '@pulsewire/database';
import { createDatabase, dropDatabase } from '@pulsewire/database/testing';

/**
 * Creates a database for this test file, cloned from the migrated template and dropped at the end.
 * Call it at the top of the file; the database exists from `beforeAll` on.
 */
export function useDatabase(options: { readonly connectionsMax?: number } = {}): { readonly current: Database; readonly url: string } {
  const name = `pulsewire_${randomBytes(6).toString('hex')}`;
  let database: Database | undefined;
  let url = '';
  beforeAll(async () => {
    url = await createDatabase(inject('adminUrl'), name, inject('template'));
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
