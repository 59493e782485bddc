import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const shipped = path.join(import.meta.dirname, '../../../deploy/systemd');
const isInstalled = spawnSync('systemd-analyze', ['--version']).status === 0;

describe.skipIf(!isInstalled)('the units in deploy/systemd', () => {
  let folder: string;
  const files = readdirSync(shipped).filter((name) => name.endsWith('.service'));
  beforeAll(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'pulsewire-units-'));
    for (const name of files) {
      // It must exist here, and Node is elsewhere.
      writeFileSync(path.join(folder, name), readFileSync(path.join(shipped, name), 'utf8').replaceAll('/usr/bin/node', process.execPath));
    }
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each(files)('%s is understood by systemd without a warning', (name) => {
    const { status, stdout, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', path.join(folder, name)], { encoding: 'utf8' });
    const ours = `${stdout}${stderr}`.split('\n').filter((line) => line.includes(folder));
    expect({ status, ours }).toEqual({ status: 0, ours: [] });
  });

  it.each(files)('%s leaves the process few rights', (name) => {
    const { stdout } = spawnSync('systemd-analyze', ['security', '--offline=yes', path.join(folder, name)], { encoding: 'utf8' });
    const [, exposure] = /Overall exposure level for \S+: ([\d.]+)/.exec(stdout) ?? [];
    expect(Number(exposure)).toBeLessThan(2);
  });
});
