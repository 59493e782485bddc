import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { processEnv } from '../../support/process-env.ts';
import { program } from '../../support/programs/program.ts';

const keys = `1:${Buffer.alloc(32, 7).toString('base64')}`;
const base = { ...processEnv, DATABASE_URL: 'postgres://127.0.0.1:9/none', LINK_TOKEN_SECRET: 'x'.repeat(40), START_DEADLINE_MS: '0' };

it.each([
  ['api', { ENCRYPTION_KEYS: undefined }, 'ENCRYPTION_KEYS is missing'],
  ['ingest', { ENCRYPTION_KEYS: 'abc' }, 'ENCRYPTION_KEYS: Encryption keys must have the form'],
  ['dispatcher', { ENCRYPTION_KEYS: keys, KAFKA_BROKERS: '127.0.0.1:9' }, 'KAFKA_BROKERS needs SCHEMA_REGISTRY_URL'],
  ['relay', {}, 'The relay needs KAFKA_BROKERS'],
  ['relay', { RELAY_DATABASE_CONNECTIONS_MAX: '4' }, 'RELAY_DATABASE_CONNECTIONS_MAX is now DATABASE_CONNECTIONS_MAX: rename it'],
  ['api', { ENCRYPTION_KEYS: keys, RETENTION_DAYS: '4' }, 'RETENTION_DAYS is not a setting; did you mean RETENTION_LOG_DAYS?'],
  ['scheduler', { ENCRYPTION_KEYS: keys, RETENTION_VAULT_DAYS: '40' }, 'RETENTION_VAULT_DAYS (40) must not exceed'],
] as const)('%s refuses the settings %j at the start and for --check-config, with code 78', (service, settings, problem) => {
  for (const args of [[], ['--check-config']]) {
    const run = spawnSync(process.execPath, [program(`services/${service}/src/main.ts`), ...args], {
      env: { ...base, ...settings },
      encoding: 'utf8',
    });
    expect({ args, status: run.status, stderr: run.stderr }).toEqual({
      args,
      status: 78,
      stderr: expect.stringContaining(problem) as string,
    });
  }
});
