import { openDatabase, type Database, type DatabaseOptions } from './client.ts';

/** The pool of a service: its own, or that of the process which it is a part of and which closes it. */
export function openOrShare(shared: Database | undefined, options: DatabaseOptions): Database {
  return shared ? { ...shared, close: async () => {} } : openDatabase(options);
}
