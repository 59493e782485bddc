import { describe, expect, it } from 'vitest';
import { filesUnder, read, workspaceMembers, withoutComments } from './sources/workspace.ts';

const migrations = filesUnder('packages/database/migrations', ['.sql']);

/** Table -> owning packages, from the rows `| `table`, `table` | owner |` of TABLES.md. */
function ownersInReadme(): Map<string, string[]> {
  const owners = new Map<string, string[]>();
  for (const [, tables = '', owner = ''] of read('packages/database/TABLES.md').matchAll(/^\|(.*`[a-z_]+`.*)\|\s*([a-z]+)\s*\|$/gm)) {
    for (const [, table = ''] of tables.matchAll(/`([a-z0-9_]+)`/g)) owners.set(table, [...(owners.get(table) ?? []), owner]);
  }
  return owners;
}

interface Created {
  readonly name: string;
  readonly file: string;
  readonly owner: string | undefined;
}

/** Name at creation -> later name. */
function renamed(): Map<string, string> {
  const statements = migrations.flatMap((file) => [...read(file).matchAll(/^ALTER TABLE ([a-z0-9_]+) RENAME TO ([a-z0-9_]+);$/gm)]);
  return new Map(statements.map(([, from = '', to = '']) => [from, to]));
}

/** Tables and sequences that migrations create, by their present names, without partitions: those belong to their table. */
function created(): Created[] {
  const later = renamed();
  return migrations.flatMap((file) => {
    const sql = read(file);
    const owner = /^-- Owner: packages\/([a-z]+)\.?\s*$/m.exec(sql)?.[1];
    const statements = sql
      .replaceAll(/--.*$/gm, '')
      .matchAll(/\bCREATE\s+(?:UNLOGGED\s+)?(?:TABLE|SEQUENCE)\s+(?:IF NOT EXISTS\s+)?([a-z0-9_]+)(?!\w)(?!\s+PARTITION\s+OF)/gi);
    return [...statements].map(([, name = '']) => ({ name: later.get(name) ?? name, file, owner }));
  });
}

/**
 * Tables whose owner changed after their migration was applied, by the package that created them: applied migrations must not be edited.
 */
const firstOwners: Readonly<Record<string, string>> = { log_poison: 'eventlog', relay_writers: 'eventlog', relay_generations: 'eventlog' };

const owners = ownersInReadme();
const tables = created();

function writtenTables(code: string): string[] {
  const pattern = /\b(?:INSERT\s+INTO|UPDATE(?:\s+ONLY)?|DELETE\s+FROM|MERGE\s+INTO|TRUNCATE(?:\s+TABLE)?|COPY)\s+"?([a-z0-9_]+)"?/g;
  return [...withoutComments(code).matchAll(pattern)].map((match) => match[1] as string).filter((name) => owners.has(name));
}

describe('migrations', () => {
  it('are numbered without gaps or duplicates', () => {
    const numbers = migrations.map((file) => Number(/(\d+)_[^/]*$/.exec(file)?.[1])).toSorted((a, b) => a - b);
    expect(numbers).toEqual(numbers.map((_, index) => index + 1));
  });
});

describe('tables', () => {
  it('each have exactly one owner in TABLES.md of packages/database', () => {
    const wrong = tables.filter(({ name }) => owners.get(name)?.length !== 1);
    expect(wrong).toEqual([]);
  });

  it('are created by a migration of their owner', () => {
    const wrong = tables.filter(({ name, owner }) => owner === undefined || (firstOwners[name] ?? owners.get(name)?.[0]) !== owner);
    expect(wrong).toEqual([]);
  });

  it('listed in TABLES.md are all created by a migration', () => {
    const names = new Set([...tables.map((table) => table.name), 'schema_migrations']);
    expect([...owners.keys()].filter((name) => !names.has(name))).toEqual([]);
  });

  it('are written only by their owner', () => {
    const strangers = workspaceMembers().flatMap((member) =>
      filesUnder(member.folder, ['.ts', '.sql'])
        .filter((file) => !file.endsWith('.test.ts') && !migrations.includes(file))
        .flatMap((file) =>
          writtenTables(read(file))
            .filter((table) => owners.get(table)?.[0] !== member.name)
            .map((table) => `${file} writes ${table}`),
        ),
    );
    expect(strangers).toEqual([]);
  });
});
