import { describe, expect, it } from 'vitest';
import { filesUnder, read, withoutComments, workspaceMembers } from './sources/workspace.ts';

interface Owner {
  /** As named in SQL, and in code. */
  readonly table: string;
  readonly declared: string;
  /** The column of the state, as named in SQL and in code, where others may update the rest of a row; otherwise nobody else writes at all. */
  readonly column?: string;
  readonly property?: string;
  /** The one folder, or file, that may write. */
  readonly folder: string;
}

/** Tables whose rows are state machines. */
const owners: readonly Owner[] = [
  { table: 'pull_windows', declared: 'pullWindows', folder: 'packages/ingest/src/window/' },
  { table: 'pull_plans', declared: 'pullPlans', folder: 'packages/ingest/src/connection-schedule/' },
  { table: 'push_inbox', declared: 'pushInbox', folder: 'packages/ingest/src/push/inbox/' },
  { table: 'bulk_operations', declared: 'bulkOperations', folder: 'packages/connections/src/bulk/operation-status/' },
  {
    table: 'connections',
    declared: 'connections',
    column: 'status',
    property: 'status',
    folder: 'packages/connections/src/connection-status/',
  },
];

const sources = workspaceMembers()
  .flatMap((member) => filesUnder(member.folder, ['.ts']))
  .filter((file) => !file.endsWith('.test.ts') && !file.startsWith('packages/sandbox/'))
  .map((file) => ({ file, code: withoutComments(read(file)) }));

/** Whether this code writes the state of a row. A row that is inserted or deleted changes its state too. */
function writesState(code: string, { table, declared, column, property }: Owner): boolean {
  const isCreatedOrDeleted = new RegExp(
    String.raw`\b(?:INSERT\s+INTO|DELETE\s+FROM|MERGE\s+INTO)\s+${table}\b|\.(?:insert|delete)\(\s*${declared}\s*\)`,
  );
  if (isCreatedOrDeleted.test(code)) return true;
  const updates = [...code.matchAll(new RegExp(String.raw`\bUPDATE(?:\s+ONLY)?\s+${table}\b[^\x60]*`, 'g'))].map(
    ([statement]) => statement,
  );
  const usesDrizzle = new RegExp(String.raw`\.update\(\s*${declared}\s*\)`).test(code);
  if (column === undefined || property === undefined) return updates.length > 0 || usesDrizzle;
  // What is assigned ends where the condition begins; the values of drizzle may be built anywhere in the file.
  const assigned = updates.map((statement) => statement.split(/\bWHERE\b/)[0] ?? '');
  return (
    assigned.some((text) => new RegExp(String.raw`(?<![.\w])${column}\s*=`).test(text)) ||
    (usesDrizzle && new RegExp(String.raw`(?<![.\w])${property}\s*[:,}]`).test(code))
  );
}

describe.each(owners)('states of $table', (owner) => {
  const writers = sources.filter(({ code }) => writesState(code, owner)).map(({ file }) => file);

  it(`are written only in the place that owns them, ${owner.folder}`, () => {
    expect(writers.length).toBeGreaterThan(0);
    expect(writers.filter((file) => !file.startsWith(owner.folder))).toEqual([]);
  });
});

it('finds a written column in SQL and in values of drizzle, and ignores others', () => {
  const owner: Owner = { table: 'things', declared: 'things', column: 'state', property: 'state', folder: '' };
  const written = [
    "sql`UPDATE things t SET name = ${name}, state = 'done' FROM users u WHERE t.id = u.id`",
    "orm.update(things).set({ name, state: 'done' })",
    'orm.update(things).set({ name, state })',
    'sql`INSERT INTO things (id) VALUES (1)`',
    'orm.delete(things)',
  ];
  const unwritten = [
    "sql`UPDATE things SET name = ${name} WHERE state = 'done'`",
    'orm.update(things).set({ name }).where(eq(things.state, wanted))',
    "sql`SELECT state FROM things WHERE state = 'done' FOR UPDATE`",
  ];
  expect(written.filter((code) => !writesState(code, owner))).toEqual([]);
  expect(unwritten.filter((code) => writesState(code, owner))).toEqual([]);
});
