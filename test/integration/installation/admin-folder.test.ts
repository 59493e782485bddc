import { execFile } from 'node:child_process';
import { access, mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { listAuditEntries } from '@pulsewire/audit';
import { createTeam } from '@pulsewire/connections';
import { systemClock } from '@pulsewire/kernel';
import { runAdmin } from '../../../services/standalone/src/admin/run-admin.ts';
import { useDatabase } from '../../support/database.ts';
import { processEnv } from '../../support/process-env.ts';
import { program } from '../../support/programs/program.ts';

const admin = program('services/standalone/src/admin.ts');
const database = useDatabase();
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'pulsewire-admin-'));
});
afterAll(() => rm(folder, { recursive: true }));

function run(words: readonly string[], env: Readonly<Record<string, string>>): Promise<{ stdout: string; stderr: string }> {
  return promisify(execFile)(process.execPath, [admin, ...words], { env: { ...processEnv, ...env } });
}

it('rejects a DATA_DIR without an installation instead of creating a new one there', async () => {
  const missing = path.join(folder, 'mistyped');
  await expect(run(['teams', 'list'], { DATA_DIR: missing })).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`There is no installation in ${missing}`),
  });
  await expect(access(missing)).rejects.toMatchObject({ code: 'ENOENT' });
});

it('prints version and commit with --version, and needs no installation for it', async () => {
  const { stdout } = await run(['--version'], { DATA_DIR: path.join(folder, 'none') });
  expect(stdout).toMatch(/^Pulsewire admin \d+\.\d+\.\d+ \(commit [0-9a-f]+\)\n$/);
});

it('works on DATABASE_URL without keys, never creates any, and reports when a command needs them', { timeout: 60_000 }, async () => {
  const env = { DATA_DIR: folder, DATABASE_URL: database.url };
  const created = await run(['teams', 'create', '--name', 'Acme'], env);
  expect(created.stdout).toContain('Acme');
  const teamId = created.stdout.split(' ', 1)[0] ?? '';
  const put = run(['oauth', 'put', teamId, 'fitbit', '--client-id', 'ours'], { ...env, CLIENT_SECRET: 'secret' });
  await expect(put).rejects.toMatchObject({ code: 1, stdout: expect.stringContaining('Set ENCRYPTION_KEYS') });
  expect(await readdir(folder)).toEqual([]);
});

it('records the operator, command, target and outcome in the audit log', { timeout: 120_000 }, async () => {
  const env = { DATA_DIR: folder, DATABASE_URL: database.url };
  const { teamId } = await createTeam(database.current, systemClock, { name: 'Audited', isSandbox: true });
  await run(['keys', 'list', teamId], env);
  await run(['keys', 'revoke', teamId, teamId], env).catch(() => undefined);
  const entries = await listAuditEntries(database.current, { teamId, limit: 10 });
  const actor = `${os.userInfo().username}@${os.hostname()}`;
  expect(entries.map(({ actorKind, action, effect, status }) => [actorKind, action, effect, status])).toEqual([
    ['operator', 'keys revoke', 'secret', 1],
    ['operator', 'keys list', 'read', 0],
  ]);
  expect(new Set(entries.map((entry) => entry.actor))).toEqual(new Set([actor]));
  const lines: string[] = [];
  // Without a process, whose start takes longer than the command.
  await runAdmin(['audit', 'list', teamId], { database: database.current, print: (line: string) => void lines.push(line) } as never);
  expect(lines.join('\n')).toContain(`operator ${actor}  read  keys list`);
});
