import { cpSync, readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import type { Plugin } from 'rolldown';

const notAssets = new Set(['src', 'types', 'node_modules', 'dist', 'tools', 'bootstrap', 'fixtures']);

/**
 * Packages and services read files relative to their own modules (`new URL('../migrations', import.meta.url)`), and bundling moves those
 * modules. The plugin replaces `import.meta.url` in them by an address under `dist/packages/<name>/src/`, and `copyTo` copies the other
 * folders of such a package next to it. So no package needs code of its own for being bundled.
 */
export function bundleAssets(root: string): { readonly plugin: Plugin; copyTo(dist: string): void } {
  const folders = new Set<string>();
  const plugin: Plugin = {
    name: 'bundle-assets',
    transform: {
      // Tested by the bundler itself, which calls the plugin for a few modules instead of thousands.
      filter: { code: /\bimport\.meta\.(?:url|dirname)\b/ },
      handler(code, id) {
        const [parent, name] = relative(root, id).split(sep);
        if ((parent !== 'packages' && parent !== 'services') || name === undefined) return null;
        folders.add(join(parent, name));
        const module = JSON.stringify(`./${relative(root, id).replaceAll(sep, '/')}`);
        const url = `new URL(${module}, import.meta.url)`;
        const dirname = `new URL('.', ${url}).pathname`;
        return {
          code: code.replaceAll(/\bimport\.meta\.url\b/g, `${url}.href`).replaceAll(/\bimport\.meta\.dirname\b/g, dirname),
          map: null,
        };
      },
    },
  };
  return {
    plugin,
    copyTo(dist) {
      for (const folder of folders) {
        const from = join(root, folder);
        for (const entry of readdirSync(from, { withFileTypes: true })) {
          if (!entry.isDirectory() || notAssets.has(entry.name)) continue;
          cpSync(join(from, entry.name), join(dist, folder, entry.name), { recursive: true });
        }
      }
    },
  };
}
