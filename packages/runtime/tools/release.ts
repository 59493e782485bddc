import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { create } from 'tar';
import { readBuildInfo } from '../src/process/build-info.ts';
import { root } from './root.ts';

/** Documents and folders that a release contains beside the programs. */
const accompanying = ['README.md', 'CHANGELOG.md', 'SECURITY.md', 'deploy', 'schemas'];
/** The third-party code of a release is what this one depends on. */
const whole = '@pulsewire/service-standalone...';

function run(command: string, args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  if (status !== 0) throw new Error(`${basename(command)} ${args.join(' ')} ended with ${String(status)}:\n${stderr}`);
  return stdout;
}

/** The bill of materials as CycloneDX. What differs between two runs is replaced by what depends on the contents alone. */
function billOfMaterials(committedAt: Date): string {
  const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly packageManager: string };
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--prod', '--lockfile-only', '--filter', whole];
  const bill = JSON.parse(run('npx', ['--yes', packageManager, ...args])) as { serialNumber: string; metadata: { timestamp: string } };
  bill.metadata.timestamp = committedAt.toISOString();
  bill.serialNumber = '';
  const hash = createHash('sha256').update(JSON.stringify(bill)).digest('hex');
  bill.serialNumber = `urn:uuid:${hash.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*/, '$1-$2-5$3-8$4-$5')}`;
  return `${JSON.stringify(bill, null, 2)}\n`;
}

/** Packs a folder so that the same files give the same bytes: in order, without owners, with the time of the commit. */
async function pack(folder: string, committedAt: Date): Promise<void> {
  const parent = join(folder, '..');
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(parent, join(entry.parentPath, entry.name)))
    .toSorted();
  await create({ file: `${folder}.tar.gz`, cwd: parent, gzip: { level: 9 }, portable: true, mtime: committedAt }, files);
  rmSync(folder, { recursive: true });
}

const { values } = parseArgs({ options: { out: { type: 'string' } } });
const out = values.out ?? join(root, 'dist', 'release');
const { version, commit } = readBuildInfo(root);
const committedAt = new Date(execFileSync('git', ['log', '-1', '--format=%cI'], { cwd: root, encoding: 'utf8' }).trim());
const [programs, maps] = [join(out, `pulsewire-${version}`), join(out, `pulsewire-${version}-maps`)];
rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
run(process.execPath, [join(root, 'packages/runtime/tools/build.ts'), '--out', programs]);
renameSync(`${programs}-maps`, maps);
for (const name of accompanying) cpSync(join(root, name), join(programs, name), { recursive: true });
for (const folder of [programs, maps]) await pack(folder, committedAt);
writeFileSync(join(out, `pulsewire-${version}.cdx.json`), billOfMaterials(committedAt));
const sums = readdirSync(out)
  .toSorted()
  .map(
    (file) =>
      `${createHash('sha256')
        .update(readFileSync(join(out, file)))
        .digest('hex')}  ${file}\n`,
  );
writeFileSync(join(out, 'SHA256SUMS'), sums.join(''));
console.log(`Release ${version} (commit ${commit}) in ${relative(process.cwd(), out)}:\n${sums.join('')}`);
