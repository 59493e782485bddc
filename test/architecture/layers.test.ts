import { describe, expect, it } from 'vitest';
import { cyclesOf, importsWithin } from './sources/import-graph.ts';
import { crossingOf, isAgainst } from './sources/layer-rule.ts';
import { layers } from './layers.ts';
import { workspaceMembers } from './sources/workspace.ts';

const layered = workspaceMembers().filter(({ folder }) => folder in layers);

describe.each(layered.map(({ folder }) => [folder]))('%s', (folder) => {
  const edges = importsWithin(`${folder}/src`);

  it('imports only from lower layers', () => {
    const crossings = edges.map(crossingOf).filter((crossing) => crossing !== null);
    // A test beside the code may import anything from its package.
    const code = crossings.filter(({ from }) => !from.endsWith('.test.ts'));
    const against = code.filter((crossing) => isAgainst(layers[crossing.folder] ?? [], crossing));
    expect(against.map(({ from, to }) => `${from} -> ${to}`)).toEqual([]);
  });

  it('has no import cycle', () => {
    expect(cyclesOf(edges)).toEqual([]);
  });
});

describe('the rule', () => {
  const crossing = (from: string, to: string) => crossingOf({ from: `packages/p/src/${from}`, to: `packages/p/src/${to}` });
  const isRefused = (list: readonly string[], from: string, to: string) =>
    isAgainst(list, crossing(from, to) ?? expect.fail('no crossing'));

  it('compares the folders below the deepest shared one', () => {
    expect(crossing('a/x.ts', 'b/y.ts')).toMatchObject({ folder: 'packages/p', fromLayer: 'a', toLayer: 'b' });
    expect(crossing('a/b/x.ts', 'a/y.ts')).toMatchObject({ folder: 'packages/p/a', fromLayer: 'b', toLayer: '.' });
    expect(crossing('a/x.ts', 'a/y.ts')).toBeNull();
  });

  it('allows a layer to import only from the layers before it', () => {
    expect(isRefused(['a', 'b'], 'b/x.ts', 'a/y.ts')).toBe(false);
    expect(isRefused(['a', 'b'], 'a/x.ts', 'b/y.ts')).toBe(true);
    expect(isRefused(['a', 'b'], 'c/x.ts', 'a/y.ts')).toBe(true);
    expect(isRefused(['kit', '*'], 'c/x.ts', 'd/y.ts')).toBe(true);
    expect(isRefused(['kit', '*'], 'c/x.ts', 'kit/y.ts')).toBe(false);
  });

  it('puts the files directly in a folder on top, unless they are listed', () => {
    expect(isRefused(['a'], 'x.ts', 'a/y.ts')).toBe(false);
    expect(isRefused(['a'], 'a/y.ts', 'x.ts')).toBe(true);
    expect(isRefused(['.', 'a'], 'a/y.ts', 'x.ts')).toBe(false);
    expect(isRefused(['.', 'a'], 'a/y.ts', 'index.ts')).toBe(true);
  });
});
