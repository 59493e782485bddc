import { isBuiltin } from 'node:module';
import { describe, expect, it } from 'vitest';
import { composingService, packageDependencies } from './dependency-table.ts';
import { importsOf } from './imports.ts';
import { filesUnder, packageOf, read, rooms, workspaceScope, type Room } from './workspace.ts';

const all = rooms();
const services = all.filter((room) => room.kind === 'service').map((room) => `service-${room.name}`);
// Tools of the whole house, declared once at the root.
const rootTools = new Set(['vitest', 'rolldown']);

function allowedFor(room: Room): readonly string[] {
  if (room.kind === 'package') return packageDependencies[room.name] ?? [];
  const packages = Object.keys(packageDependencies);
  return room.name === composingService ? [...packages, ...services] : packages;
}

function importsOfRoom(room: Room): { file: string; specifier: string }[] {
  return filesUnder(room.folder, ['.ts', '.mjs']).flatMap((file) => importsOf(file, read(file)).map((specifier) => ({ file, specifier })));
}

function short(name: string): string {
  return name.slice(workspaceScope.length);
}

describe('the dependency table', () => {
  it('names every package, and none twice in a circle', () => {
    const names = Object.keys(packageDependencies);
    const unknown = all.filter((room) => room.kind === 'package' && !names.includes(room.name));
    expect(unknown.map((room) => room.name)).toEqual([]);
    const reachable = (name: string): string[] => (packageDependencies[name] ?? []).flatMap((next) => [next, ...reachable(next)]);
    for (const name of names) expect(reachable(name)).not.toContain(name);
  });
});

describe.each(all.map((room) => [room.folder, room] as const))('%s', (_folder, room) => {
  const declared = { ...room.manifest.dependencies, ...room.manifest.devDependencies };

  it('is named after its folder', () => {
    expect(room.manifest.name).toBe(`${workspaceScope}${room.kind === 'service' ? 'service-' : ''}${room.name}`);
  });

  it('declares only what the table allows', () => {
    const rules = new Set(allowedFor(room));
    const forbidden = Object.keys(declared).filter((name) => name.startsWith(workspaceScope) && !rules.has(short(name)));
    expect(forbidden).toEqual([]);
  });

  it('imports only what it declares', () => {
    const undeclared = importsOfRoom(room).filter(({ specifier }) => {
      if (specifier.startsWith('.') || isBuiltin(specifier)) return false;
      const name = packageOf(specifier);
      return name !== room.manifest.name && !(name in declared) && !rootTools.has(name);
    });
    expect(undeclared).toEqual([]);
  });

  it('does not reach into another room by path', () => {
    const depth = (file: string) => file.slice(room.folder.length + 1).split('/').length - 1;
    const climbs = importsOfRoom(room).filter(({ file, specifier }) => (specifier.match(/\.\.\//g)?.length ?? 0) > depth(file));
    expect(climbs).toEqual([]);
  });
});
