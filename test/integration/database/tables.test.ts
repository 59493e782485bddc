import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { run } from '@pulsewire/database';
import { teams } from '../../../packages/connections/src/model/tables.ts';
import { useDatabase } from '../../support/database.ts';

interface Column {
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly hasDefault: boolean;
}

interface DrizzleColumn {
  readonly name: string;
  readonly notNull: boolean;
  readonly hasDefault: boolean;
  getSQLType(): string;
}

// drizzle stores both under registered symbols, so that several copies of it recognise each other's tables.
const nameKey = Symbol.for('drizzle:Name');
const columnsKey = Symbol.for('drizzle:Columns');

type DrizzleTable = Readonly<Record<typeof nameKey, string> & Record<typeof columnsKey, Readonly<Record<string, DrizzleColumn>>>>;

const root = path.join(import.meta.dirname, '../../..');
const byName = (a: { readonly name: string }, b: { readonly name: string }) => (a.name < b.name ? -1 : 1);
const isTable = (value: unknown): value is DrizzleTable => typeof value === 'object' && value !== null && nameKey in value;

/** Every table that a package declares with `pgTable`. A subset of columns under another name is not a declaration. */
async function declaredTables(): Promise<Map<string, Column[]>> {
  // Tables of helpers for tests are created by those tests.
  const files = globSync('packages/*/src/**/*.ts', { cwd: root }).filter(
    (file) => !file.includes('/testing/') && /\bpgTable\(/.test(readFileSync(path.join(root, file), 'utf8')),
  );
  const modules = await Promise.all(files.map((file) => import(path.join(root, file)) as Promise<object>));
  return new Map(
    modules
      .flatMap((module) => Object.values(module))
      .filter(isTable)
      .map((table) => {
        const columns = Object.values(table[columnsKey]).map((column) => ({
          name: column.name,
          type: column.getSQLType(),
          isRequired: column.notNull,
          hasDefault: column.hasDefault,
        }));
        return [table[nameKey], columns.sort(byName)];
      }),
  );
}

const database = useDatabase();
const declared = await declaredTables();

async function migratedColumns(table: string): Promise<Column[]> {
  const rows = await database.current.sql<Column[]>`
    SELECT a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type,
      a.attnotnull AS "isRequired", a.atthasdef OR a.attidentity <> '' AS "hasDefault"
    FROM pg_attribute a WHERE a.attrelid = ${`public.${table}`}::regclass AND a.attnum > 0 AND NOT a.attisdropped`;
  return rows.map((row) => ({ ...row })).sort(byName);
}

async function migratedTables(): Promise<string[]> {
  const rows = await database.current.sql<{ name: string }[]>`
    SELECT relname AS name FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition`;
  return rows.map(({ name }) => name).sort();
}

describe('the drizzle declarations', () => {
  it('cover every migrated table', async () => {
    expect((await migratedTables()).filter((table) => !declared.has(table))).toEqual([]);
  });

  it('declare no table that the migrations do not create', async () => {
    const migrated = new Set(await migratedTables());
    expect([...declared.keys()].filter((table) => !migrated.has(table))).toEqual([]);
  });

  it.each([...declared.keys()].sort())('match type, nullability and default of every column of %s', async (table) => {
    expect(declared.get(table)).toEqual(await migratedColumns(table));
  });
});

describe('a failed drizzle query', () => {
  it('throws the error of the driver, with the SQLSTATE and without values in its message', async () => {
    const broken = { teamId: 'not-a-uuid', name: 'a private name', isSandbox: false, createdAt: new Date(0) };
    const error: unknown = await run(database.current.orm.insert(teams).values(broken)).catch((cause: unknown) => cause);
    expect(error).toMatchObject({ name: 'PostgresError', code: '22P02' });
    expect(String((error as Error).stack)).not.toContain('a private name');
  });
});
