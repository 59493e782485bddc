import { describe, expect, it } from 'vitest';
import { documentReferences, refersToDocument } from './sources/document-references.ts';
import { filesUnder, read, sourceFiles, withoutComments } from './sources/workspace.ts';

const sources = sourceFiles();
const linesMax = 300;
const testLinesMax = 500;

// The loader, the programs that run before it exists, and the program that starts the tests.
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
  it('stay within the size limit', () => {
    const long = sources.filter((file) => read(file).split('\n').length - 1 > (file.endsWith('.test.ts') ? testLinesMax : linesMax));
    expect(long).toEqual([]);
  });

  it('read the environment only in the configuration loader', () => {
    const files = sources.filter((file) => !readsEnvironment.test(file) && !file.endsWith('sources.test.ts'));
    expect(linesWith(files, /\bprocess\.env\b|\bprocess\[['"]env/, withoutComments)).toEqual([]);
  });

  it('suppress no lint rule and no type check', () => {
    const files = sources.filter((file) => !file.endsWith('sources.test.ts'));
    expect(linesWith(files, /@ts-(ignore|expect-error|nocheck)|(oxlint|eslint)-disable/)).toEqual([]);
  });
});

describe('the published sources', () => {
  const published = [
    ...sources.filter((file) => !file.endsWith('sources.test.ts')),
    'package.json',
    'pnpm-workspace.yaml',
    'pnpm-lock.yaml',
    ...['deploy', 'schemas'].flatMap((folder) => filesUnder(folder, [''])),
    ...['packages', 'services', 'test'].flatMap((folder) => filesUnder(folder, ['.md', '.json', '.sql'])),
  ];

  it('contain no path of a developer’s machine', () => {
    expect(linesWith(published, /(?<![\w.:/-])\/(work|home|Users|root)\/[\w.-]/)).toEqual([]);
  });

  it('refer to no document outside the repository', () => {
    expect(documentReferences()).toEqual([]);
    // Concatenated, so that this file does not contain what it forbids.
    const forbidden = ['contract', 'interface', 'plan', 'spec'].flatMap((name) => [
      ['see', name, '21.2'].join(' '),
      ['as in', name, '§4'].join(' '),
    ]);
    forbidden.push(['the codes of contract', 'appendix A'].join(' '), ['/** A cycle (7', '10) */'].join('.'));
    forbidden.push(['accepts the errors printed', 'in the contract'].join(' '), ['null when the interface', 'only states it'].join(' '));
    forbidden.push(['has the 54 statuses', 'of the interface'].join(' '), ['it is missing', 'in the interface'].join(' '));
    expect(forbidden.filter((line) => !refersToDocument(line))).toEqual([]);
    const allowed = ['const plan1 = plan(2);', 'interface V2 {', 'RFC 9110, section 15.5', 'expect(read(7.25)).toBe(1)'];
    allowed.push('the calls in the interface of the provider', 'the interface is `EventLog`', 'a resource of the contract');
    expect(allowed.filter(refersToDocument)).toEqual([]);
  });

  it('contain no host of a package registry', () => {
    expect(linesWith(published, /registry\.(npmjs|yarnpkg)\.|\bnpm\.pkg\.github\.com|artifactory|tarball:\s*https?:/i)).toEqual([]);
  });
});
