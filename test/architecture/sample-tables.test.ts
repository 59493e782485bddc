import { expect, it } from 'vitest';
import { filesUnder, read, withoutComments, workspaceMembers } from './sources/workspace.ts';

/** The one reader and writer: everybody else reads with the functions of the schema, and writes with those of the package. */
const owner = 'packages/store/src/samples/';
const statement = /\b(?:FROM|JOIN|INTO|UPDATE|COPY|TABLE|USING)\s+"?(?:samples|sample_pieces)\b/;
const query = /(?<!\bDELETE\s+)\b(?:FROM|JOIN)\s+"?(?:samples|sample_pieces)\b/;

/** Tests and benchmarks that compare the two forms, or measure the table itself. */
const aboutForms: readonly string[] = [
  'test/bench/reads/stream.ts',
  'test/integration/ingest/pack-job.test.ts',
  'test/integration/store/packing.test.ts',
  'test/integration/store/piece-format.test.ts',
];

it('names the tables of samples in one folder, so that nobody else depends on their form', () => {
  const files = workspaceMembers().flatMap((member) => filesUnder(member.folder, ['.ts']));
  const strangers = files.filter((file) => !file.startsWith(owner) && statement.test(withoutComments(read(file))));
  expect(strangers).toEqual([]);
});

it('reads samples in tests and benchmarks in either form', () => {
  const files = filesUnder('test', ['.ts']).filter((file) => query.test(withoutComments(read(file))));
  expect(files.toSorted()).toEqual(aboutForms.toSorted());
});
