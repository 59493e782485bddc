import { cpSync, readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import type { Plugin } from 'rolldown';

const leftBehind = new Set(['src', 'types', 'node_modules', 'dist', 'tools', 'bootstrap', 'fixtures']);

/**
 * Packages and services read files by their own place (`new URL('../migrations', import.meta.url)`), which a bundle changes.
 * The plugin gives such a module an address under `dist/packages/<name>/src/`, as if it still lay there, and `copyTo` puts the
 * room's other folders beside that address. So no room has to know that it may be bundled.
 */
export function carryFiles(root: string): { readonly plugin: Plugin; copyTo(dist: string): void } {
  const rooms = new Set<string>();
  const plugin: Plugin = {
    name: 'carry-files',
    transform(code, id) {
      const [folder, name] = relative(root, id).split(sep);
      if ((folder !== 'packages' && folder !== 'services') || name === undefined || !/\bimport\.meta\.(url|dirname)\b/.test(code))
        return null;
      rooms.add(join(folder, name));
      const place = JSON.stringify(`./${relative(root, id).replaceAll(sep, '/')}`);
      const url = `new URL(${place}, import.meta.url)`;
      const dirname = `new URL('.', ${url}).pathname`;
      return {
        code: code.replaceAll(/\bimport\.meta\.url\b/g, `${url}.href`).replaceAll(/\bimport\.meta\.dirname\b/g, dirname),
        map: null,
      };
    },
  };
  return {
    plugin,
    copyTo(dist) {
      for (const room of rooms) {
        const from = join(root, room);
        for (const entry of readdirSync(from, { withFileTypes: true })) {
          if (!entry.isDirectory() || leftBehind.has(entry.name)) continue;
          cpSync(join(from, entry.name), join(dist, room, entry.name), { recursive: true });
        }
      }
    },
  };
}
