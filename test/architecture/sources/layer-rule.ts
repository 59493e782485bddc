import { basename } from 'node:path';
import type { Edge } from './import-graph.ts';

/** An import from one layer to another. */
export interface Crossing extends Edge {
  /** The folder whose layers they are: `packages/webhooks`, or `packages/webhooks/dispatcher` for folders within one. */
  readonly folder: string;
  readonly fromLayer: string;
  readonly toLayer: string;
}

const withoutSource = (folder: string): string => folder.replace(/^((?:packages|services)\/[^/]+)\/src(?=\/|$)/, '$1');

/** Where an import crosses from one layer to another: below the deepest folder that contains both files. Null within one layer. */
export function crossingOf({ from, to }: Edge): Crossing | null {
  const [a, b] = [from.split('/'), to.split('/')];
  let shared = 0;
  while (shared < Math.min(a.length, b.length) - 1 && a[shared] === b[shared]) shared += 1;
  const layerOf = (path: readonly string[]): string => (shared === path.length - 1 ? '.' : (path[shared] as string));
  const [fromLayer, toLayer] = [layerOf(a), layerOf(b)];
  return fromLayer === toLayer ? null : { from, to, folder: withoutSource(a.slice(0, shared).join('/')), fromLayer, toLayer };
}

/** Whether a crossing violates the layers of its folder. `layers` are those of the folder, lowest first. */
export function isAgainst(layers: readonly string[], { from, to, fromLayer, toLayer }: Crossing): boolean {
  if (basename(from) === 'index.ts') return false;
  if (basename(to) === 'index.ts') return true;
  const placeOf = (layer: string, file: string): number => {
    const place = layers.indexOf(layer === '.' && layers.includes(basename(file)) ? basename(file) : layer);
    if (place >= 0) return place;
    return layer === '.' ? layers.length : layers.indexOf('*');
  };
  const [place, target] = [placeOf(fromLayer, from), placeOf(toLayer, to)];
  return place < 0 || target < 0 || target >= place;
}
