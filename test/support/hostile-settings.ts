import { openDatabase } from '@pulsewire/database';

/** Settings that an operator may have on a database, each of which changes what texts mean or ends work that takes long. */
export const hostileSettings: readonly string[] = [
  "DateStyle = 'SQL, DMY'",
  "IntervalStyle = 'sql_standard'",
  "bytea_output = 'escape'",
  "TimeZone = 'America/St_Johns'",
  'extra_float_digits = 0',
  'standard_conforming_strings = off',
  'array_nulls = off',
  'transform_null_equals = on',
  "default_transaction_isolation = 'serializable'",
  'default_transaction_deferrable = on',
  "statement_timeout = '1s'",
  "lock_timeout = '100ms'",
  "idle_in_transaction_session_timeout = '1s'",
  "idle_session_timeout = '1s'",
  'search_path = nowhere, public',
];

/** Sets these for every later session of the database. */
export async function applySettings(url: string, settings: readonly string[]): Promise<void> {
  if (settings.length === 0) return;
  const database = openDatabase({ url, connectionsMax: 1 });
  const name = new URL(url).pathname.slice(1);
  try {
    for (const setting of settings) await database.sql.unsafe(`ALTER DATABASE "${name}" SET ${setting}`);
  } finally {
    await database.close();
  }
}
