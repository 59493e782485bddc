import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesUnder, read, workspaceMembers, root } from './sources/workspace.ts';
import { connectorFilesMax, filesMax, fullFolders, largeConnectors } from './sources/full-folders.ts';

const all = workspaceMembers();
const topLevel = ['deploy', 'packages', 'schemas', 'services', 'test'];

/** Folders in a tree drawing: indented lines that begin with a name and a slash. */
function drawnFolders(readme: string): string[] {
  const found: string[] = [];
  let section = '';
  for (const block of readme.match(/^```[\s\S]*?^```/gm) ?? []) {
    for (const line of block.split('\n')) {
      const [, indent, name] = /^(\s*)([a-z][a-z0-9-]*)\/(?:\s|$)/.exec(line) ?? [];
      if (name === undefined || indent === undefined) continue;
      if (indent === '') section = name;
      found.push(indent === '' ? name : `${section}/${name}`);
    }
  }
  return found;
}

describe('folders', () => {
  it('at the top level are the five planned ones; tools use only dot-folders', () => {
    const visible = readdirSync(root, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules')
      .map((entry) => entry.name);
    expect(visible.filter((name) => !topLevel.includes(name))).toEqual([]);
  });

  it('match the folder map in CONTRIBUTING.md exactly', () => {
    const drawn = drawnFolders(read('CONTRIBUTING.md')).filter((path) => /^(packages|services)\//.test(path));
    expect([...new Set(drawn)].toSorted()).toEqual(all.map((member) => member.folder).toSorted());
  });

  it('of packages, services and providers each have a README', () => {
    const connectors = filesUnder('packages/providers/src', ['connector.ts']).filter((file) => file.endsWith('/connector.ts'));
    const providers = connectors.map((file) => dirname(file).replace(/\/kit\/.*/, '/kit'));
    const folders = [...all.map(({ folder }) => folder), ...providers];
    expect(folders.filter((folder) => !existsSync(join(root, folder, 'README.md')))).toEqual([]);
  });

  it('of connectors say in README or WITNESSES.md what they were compared with and what is unverified', () => {
    const connectors = filesUnder('packages/providers/src', ['README.md']).filter((file) => /src\/(?!kit\/)[^/]+\/README\.md$/.test(file));
    const lists = [/^## (?:Compared with|Checked against)$/m, /^## (?:Unverified|Not verified)|\*\*Unverified\*\*:/m];
    expect(connectors.length).toBeGreaterThan(25);
    // A table that names for each claim about the live interface its witness, or that there is none, says both.
    const table = [/^\| Claim[^|]*\| Witness \|$/m, /\| nobody knows \|$/m];
    const textOf = (file: string) => {
      const witnesses = join(dirname(file), 'WITNESSES.md');
      return existsSync(join(root, witnesses)) ? read(file) + read(witnesses) : read(file);
    };
    const says = (file: string) => [lists, table].some((ways) => ways.every((way) => way.test(textOf(file))));
    expect(connectors.filter((file) => !says(file))).toEqual([]);
  });

  it(`contain at most ${filesMax} source files`, () => {
    expect(fullFolders()).toEqual([]);
  });

  it(`of a connector contain at most ${connectorFilesMax} files together, without tests and recordings`, () => {
    expect(largeConnectors()).toEqual([]);
  });

  it('of a connector that is too large are named with their count, without those that do not count', () => {
    const files = (slug: string, folder: string, ending: string, count: number) =>
      Array.from({ length: count }, (_, index) => `packages/providers/src/${slug}/${folder}file-${index}${ending}`);
    const found = largeConnectors([
      ...files('large', '', '.ts', 20),
      ...files('large', 'pulls/', '.ts', 6),
      ...files('fits', 'mappers/', '.ts', 25),
      ...files('fits', '', '.test.ts', 10),
      ...files('fits', 'fixtures/', '.ts', 10),
      ...files('kit', 'time/', '.ts', 80),
    ]);
    expect(found).toEqual(['large has 26 files, 25 are allowed']);
  });
});
