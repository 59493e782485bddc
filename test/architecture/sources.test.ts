import { describe, expect, it } from 'vitest';
import { documentReferences, refersToDocument } from './sources/document-references.ts';
import { filesUnder, read, sourceFiles, withoutComments } from './sources/workspace.ts';

const sources = sourceFiles();
const linesMax = 300;
const testLinesMax = 500;

// The loader, the programs that run before it exists, and the one that starts the tests.
const readsEnvironment =
  /^packages\/runtime\/(src\/config\/load-config\.ts|bootstrap\/)|^test\/(support\/(kafka-)?global-setup|vitest\.config)\.ts$/;

function linesWith(files: readonly string[], pattern: RegExp, prepare: (text: string) => string = (text) => text): string[] {
  return files.flatMap((file) =>
    prepare(read(file))
      .split('\n')
      .filter((line) => pattern.test(line))
      .map((line) => `${file}: ${line.trim().slice(0, 100)}`),
  );
}

describe('source files', () => {
  it('are small enough to be read in one go', () => {
    const long = sources.filter((file) => read(file).split('\n').length - 1 > (file.endsWith('.test.ts') ? testLinesMax : linesMax));
    expect(long).toEqual([]);
  });

  it('leave the environment to the configuration loader', () => {
    const files = sources.filter((file) => !readsEnvironment.test(file) && !file.endsWith('sources.test.ts'));
    expect(linesWith(files, /\bprocess\.env\b|\bprocess\[['"]env/, withoutComments)).toEqual([]);
  });

  it('switch off no rule and no type', () => {
    const files = sources.filter((file) => !file.endsWith('sources.test.ts'));
    expect(linesWith(files, /@ts-(ignore|expect-error|nocheck)|(oxlint|eslint)-disable/)).toEqual([]);
  });
});

describe('what is published', () => {
  const published = [
    ...sources.filter((file) => !file.endsWith('sources.test.ts')),
    'package.json',
    'pnpm-workspace.yaml',
    'pnpm-lock.yaml',
    ...['deploy', 'schemas'].flatMap((folder) => filesUnder(folder, [''])),
    ...['packages', 'services', 'test'].flatMap((folder) => filesUnder(folder, ['.md', '.json', '.sql'])),
  ];

  it('names no folder of anyone’s machine', () => {
    expect(linesWith(published, /(?<![\w.:/-])\/(work|home|Users|root)\/[\w.-]/)).toEqual([]);
  });

  it('refers to no document outside the repository', () => {
    expect(documentReferences()).toEqual([]);
    expect(['see contract 21.2', 'as in spec §4', 'interface.md', 'plan 7'].filter((line) => !refersToDocument(line))).toEqual([]);
    expect(['const plan1 = plan(2);', 'interface V2 {', 'RFC 9110, section 15.5'].filter(refersToDocument)).toEqual([]);
  });

  it('names no host of a package registry', () => {
    expect(linesWith(published, /registry\.(npmjs|yarnpkg)\.|\bnpm\.pkg\.github\.com|artifactory|tarball:\s*https?:/i)).toEqual([]);
  });
});
