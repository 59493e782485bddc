import type { Migration } from './read-migrations.ts';

const patterns: readonly (readonly [statement: RegExp, lock: string])[] = [
  [/CREATE (?:UNIQUE )?INDEX CONCURRENTLY [^;]*? ON (?:ONLY )?(\w+)/gi, 'writes and reads continue'],
  [/CREATE (?:UNIQUE )?INDEX (?!CONCURRENTLY)[^;]*? ON (?:ONLY )?(\w+)/gi, 'writes wait'],
  [/ALTER TABLE (?:IF EXISTS )?(?:ONLY )?(\w+)/gi, 'reads and writes wait'],
  [/DROP (?:TABLE|INDEX) (?!CONCURRENTLY)(?:IF EXISTS )?(\w+)/gi, 'reads and writes wait'],
  [/(?:UPDATE|DELETE FROM) (\w+)/gi, 'changed rows wait'],
];

const created = /CREATE (?:UNLOGGED )?TABLE (?:IF NOT EXISTS )?(\w+)/gi;

/**
 * What a migration keeps waiting while it runs, by table, the strongest lock of each; tables that it creates itself are left out. Read from
 * its text, so it is an estimate for the operator.
 */
export function describeLocks({ sql }: Migration): readonly string[] {
  const text = sql.replaceAll(/--.*$/gm, '');
  const own = new Set([...text.matchAll(created)].map(([, table]) => table));
  const strongest = new Map<string, string>();
  for (const [pattern, lock] of patterns)
    for (const [, table = ''] of text.matchAll(pattern)) {
      if (own.has(table)) continue;
      const known = strongest.get(table);
      const isStronger =
        known === undefined || lock === 'reads and writes wait' || (lock === 'writes wait' && known !== 'reads and writes wait');
      if (isStronger) strongest.set(table, lock);
    }
  return [...strongest].map(([table, lock]) => `${table}: ${lock}`);
}
