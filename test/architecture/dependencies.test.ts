import { isBuiltin } from 'node:module';
import { describe, expect, it } from 'vitest';
import { composingService, packageDependencies } from './dependency-table.ts';
import { importsOf } from './sources/imports.ts';
import { filesUnder, packageOf, read, workspaceMembers, workspaceScope, type WorkspaceMember } from './sources/workspace.ts';

const all = workspaceMembers();
const services = all.filter((member) => member.kind === 'service').map((member) => `service-${member.name}`);
// Tools that the root package.json declares for every package.
const rootTools = new Set(['vitest', 'rolldown', 'tar']);

function allowedFor(member: WorkspaceMember): readonly string[] {
  if (member.kind === 'package') return packageDependencies[member.name] ?? [];
  const packages = Object.keys(packageDependencies);
  return member.name === composingService ? [...packages, ...services] : packages;
}

function importsOfMember(member: WorkspaceMember): { file: string; specifier: string }[] {
  return filesUnder(member.folder, ['.ts', '.mjs']).flatMap((file) =>
    importsOf(file, read(file)).map((specifier) => ({ file, specifier })),
  );
}

function short(name: string): string {
  return name.slice(workspaceScope.length);
}

describe('the dependency table', () => {
  it('lists every package and has no cycle', () => {
    const names = Object.keys(packageDependencies);
    const unknown = all.filter((member) => member.kind === 'package' && !names.includes(member.name));
    expect(unknown.map((member) => member.name)).toEqual([]);
    const reachable = (name: string): string[] => (packageDependencies[name] ?? []).flatMap((next) => [next, ...reachable(next)]);
    for (const name of names) expect(reachable(name)).not.toContain(name);
  });
});

describe.each(all.map((member) => [member.folder, member] as const))('%s', (_folder, member) => {
  const declared = { ...member.manifest.dependencies, ...member.manifest.devDependencies };

  it('is named after its folder', () => {
    expect(member.manifest.name).toBe(`${workspaceScope}${member.kind === 'service' ? 'service-' : ''}${member.name}`);
  });

  it('declares only what the table allows', () => {
    const rules = new Set(allowedFor(member));
    const forbidden = Object.keys(declared).filter((name) => name.startsWith(workspaceScope) && !rules.has(short(name)));
    expect(forbidden).toEqual([]);
  });

  it('imports only what it declares', () => {
    const undeclared = importsOfMember(member).filter(({ specifier }) => {
      if (specifier.startsWith('.') || isBuiltin(specifier)) return false;
      const name = packageOf(specifier);
      return name !== member.manifest.name && !(name in declared) && !rootTools.has(name);
    });
    expect(undeclared).toEqual([]);
  });

  it('does not import another package or service by path', () => {
    const depth = (file: string) => file.slice(member.folder.length + 1).split('/').length - 1;
    const climbs = importsOfMember(member).filter(({ file, specifier }) => (specifier.match(/\.\.\//g)?.length ?? 0) > depth(file));
    expect(climbs).toEqual([]);
  });
});
