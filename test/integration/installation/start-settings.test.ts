import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { processEnv } from '../../support/process-env.ts';
import { program } from '../../support/programs/program.ts';

/** The settings in the lists of deploy/CONFIGURATION.md, without those that say that `npm start` does not read them. */
const documented = new Set(
  readFileSync(path.join(import.meta.dirname, '../../../deploy/CONFIGURATION.md'), 'utf8')
    .split(/^## /m)
    .filter((section) => !section.includes('`npm start` reads none of these'))
    .flatMap((section) => [...section.matchAll(/^- `([A-Z0-9_]+)`, default/gm)].map(([, name = '']) => name)),
);

function start(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program('services/standalone/src/main.ts'), ...args], {
    // Nothing may be started, so nobody creates this folder.
    env: { ...processEnv, DATA_DIR: path.join(tmpdir(), 'pulsewire-that-nobody-creates'), ...env },
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

it('npm start lists every documented setting once, in groups', () => {
  const { status, stdout } = start(['--help']);
  expect(status).toBe(0);
  const listed = [...stdout.matchAll(/^ {2}([A-Z0-9_]+) /gm)].map(([, name = '']) => name);
  expect(listed.toSorted()).toEqual([...documented].toSorted());
  expect([...stdout.matchAll(/^(\S.*):$/gm)].map(([, title]) => title)).toEqual(
    expect.arrayContaining(['npm start', 'api', 'ingest', 'dispatcher', 'report-parser', 'scheduler', 'Every process', 'Providers']),
  );
});

it('npm start takes over settings of every service, and says which with --check-config', () => {
  const env = {
    TRUSTED_PROXIES: '10.0.0.0/8',
    SANDBOX_USERS_MAX: '2000',
    API_RATE_LIMIT: '7',
    INGEST_CONCURRENCY: '3',
    WEBHOOK_TIMEOUT_MS: '9000',
    REPORT_PARSER_CONCURRENCY: '2',
    RETENTION_AUDIT_DAYS: '60',
    ERASURES_FILE: '/mnt/erased.jsonl',
  };
  const { status, stdout } = start(['--check-config'], env);
  expect(status).toBe(0);
  expect(stdout.split('\n')).toEqual(expect.arrayContaining(Object.entries(env).map(([name, value]) => `  ${name}=${value}`)));
});

it.each([
  ['a setting of the API', { TRUSTED_PROXIES: 'not-a-network' }, 'TRUSTED_PROXIES must be addresses or networks'],
  ['a setting of the report parser', { REPORT_PARSER_CONCURRENCY: '99' }, 'REPORT_PARSER_CONCURRENCY must be a whole number'],
  ['contradicting settings', { RETENTION_VAULT_DAYS: '40' }, 'RETENTION_VAULT_DAYS (40) must not exceed'],
  ['encryption keys', { ENCRYPTION_KEYS: 'abc' }, 'ENCRYPTION_KEYS: Encryption keys must have the form'],
  ['a secret of link tokens', { LINK_TOKEN_SECRET: 'short' }, 'LINK_TOKEN_SECRET must be at least 32 characters'],
  ['the port of the API for health', { PORT: '18181', HEALTH_PORT: '18181' }, 'HEALTH_PORT must be another port than PORT'],
  ['a token without a KMS', { ENCRYPTION_VAULT_TOKEN: 'x' }, 'ENCRYPTION_VAULT_TOKEN has no effect without ENCRYPTION_VAULT_URL'],
  ['the demo beside the real provider', { PROVIDER_GOOGLE_HEALTH_CLIENT_ID: 'ours' }, 'would replace PROVIDER_GOOGLE_HEALTH_CLIENT_ID'],
  ['a folder for data that is a file', { DATA_DIR: '/etc/hostname/x' }, 'DATA_DIR must be a folder on a disk'],
  ['a folder for data in /proc', { DATA_DIR: '/proc/nope' }, 'DATA_DIR must be a folder on a disk'],
  ['a folder for data with a long path', { DATA_DIR: `/tmp/${'a'.repeat(5000)}` }, 'DATA_DIR must be a folder on a disk'],
  ['a file of erasures that keeps nothing', { ERASURES_FILE: '/dev/null' }, 'ERASURES_FILE must be a file on a disk'],
  ['blank text', { PROVIDER_OURA_CLIENT_ID: ' ' }, 'PROVIDER_OURA_CLIENT_ID is blank'],
  ['a list of commas', { TRUSTED_PROXIES: ',' }, 'TRUSTED_PROXIES must be addresses or networks'],
  ['another value than the two of a choice', { PROVIDER_OMRON_WEIGHT_UNIT: 'stone' }, 'PROVIDER_OMRON_WEIGHT_UNIT must be one of '],
  ['a signature that Strava does not have', { PROVIDER_STRAVA_PUSH_SIGNATURE: 'yes' }, 'PROVIDER_STRAVA_PUSH_SIGNATURE must be one of '],
  ['a limit of users beyond every sandbox', { SANDBOX_USERS_MAX: '9'.repeat(31) }, 'SANDBOX_USERS_MAX must be a whole number from 1 to'],
  ['an unknown name', { SANDBOX_USERS: '5' }, 'SANDBOX_USERS is not a setting; did you mean SANDBOX_USERS_MAX?'],
  ['a former name', { WEBHOOK_DATABASE_CONNECTIONS_MAX: '5' }, 'WEBHOOK_DATABASE_CONNECTIONS_MAX is now DATABASE_CONNECTIONS_MAX'],
] as const)('npm start refuses %s at the start and for --check-config, with code 78', (_, env, problem) => {
  for (const args of [[], ['--check-config']]) {
    const { status, stderr } = start(args, env);
    expect({ args, status, stderr }).toEqual({ args, status: 78, stderr: expect.stringContaining(problem) as string });
  }
});
