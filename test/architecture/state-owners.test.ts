import { describe, expect, it } from 'vitest';
import { filesUnder, read, withoutComments, workspaceMembers } from './sources/workspace.ts';

/** Tables whose rows are state machines, as named in SQL and in code, with the one folder that may write them. */
const owners: readonly { readonly table: string; readonly declared: string; readonly folder: string }[] = [
  { table: 'pull_windows', declared: 'pullWindows', folder: 'packages/ingest/src/pull-windows/' },
  { table: 'pull_plans', declared: 'pullPlans', folder: 'packages/ingest/src/pull-plans/' },
];

const sources = workspaceMembers()
  .flatMap((member) => filesUnder(member.folder, ['.ts']))
  .filter((file) => !file.endsWith('.test.ts') && !file.startsWith('packages/sandbox/'))
  .map((file) => ({ file, code: withoutComments(read(file)) }));

describe.each(owners)('rows of $table', ({ table, declared, folder }) => {
  const writes = new RegExp(
    String.raw`\b(?:INSERT\s+INTO|UPDATE(?:\s+ONLY)?|DELETE\s+FROM|MERGE\s+INTO)\s+${table}\b|\.(?:insert|update|delete)\(\s*${declared}\s*\)`,
  );
  const writers = sources.filter(({ code }) => writes.test(code)).map(({ file }) => file);

  it(`are written only in the folder that owns their states, ${folder}`, () => {
    expect(writers.length).toBeGreaterThan(0);
    expect(writers.filter((file) => !file.startsWith(folder))).toEqual([]);
  });
});
