import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { processEnv } from '../../support/process-env.ts';
import { program } from '../../support/programs/program.ts';

const keys = `1:${Buffer.from('0123456789abcdefghijklmnopqrstuv').toString('base64')}`;
const vault = { ENCRYPTION_VAULT_URL: 'https://v.example', ENCRYPTION_VAULT_TOKEN: 't' };
const kafka = { KAFKA_BROKERS: 'h:9092', SCHEMA_REGISTRY_URL: 'https://registry.example' };
const base = {
  ...processEnv,
  DATABASE_URL: 'postgres://127.0.0.1:9/none',
  LINK_TOKEN_SECRET: 'an0ther-secret-of-more-than-32-characters',
  START_DEADLINE_MS: '0',
};

it.each([
  ['api', { ENCRYPTION_KEYS: undefined }, 'ENCRYPTION_KEYS is missing'],
  ['ingest', { ENCRYPTION_KEYS: 'abc' }, 'ENCRYPTION_KEYS: Encryption keys must have the form'],
  ['ingest', { ENCRYPTION_KEYS: `${keys};2:x` }, 'ENCRYPTION_KEYS: Encryption keys must have the form'],
  [
    'ingest',
    { ENCRYPTION_KEYS: `${keys},2:${Buffer.alloc(32).toString('base64')}` },
    'ENCRYPTION_KEYS: key 2 encrypts, but has fewer than 10 different bytes',
  ],
  ['dispatcher', { ENCRYPTION_KEYS: keys, KAFKA_BROKERS: '127.0.0.1:9' }, 'KAFKA_BROKERS needs SCHEMA_REGISTRY_URL'],
  ['relay', {}, 'The relay needs KAFKA_BROKERS'],
  ['relay', { RELAY_DATABASE_CONNECTIONS_MAX: '4' }, 'RELAY_DATABASE_CONNECTIONS_MAX is now DATABASE_CONNECTIONS_MAX: rename it'],
  ['api', { ENCRYPTION_KEYS: keys, RETENTION_DAYS: '4' }, 'RETENTION_DAYS is not a setting; did you mean RETENTION_LOG_DAYS?'],
  [
    'api',
    { ENCRYPTION_KEYS: keys, LINK_TOKEN_SECRET: 'a'.repeat(40) },
    'LINK_TOKEN_SECRET must be at least 32 characters, 10 of them different',
  ],
  ['api', { ENCRYPTION_KEYS: keys, DATABASE_URL: 'postgres://u:p@h%zz/x' }, 'DATABASE_URL must be a URL that starts with postgres://'],
  ['api', { ENCRYPTION_KEYS: keys, ENCRYPTION_VAULT_KEY: 'x' }, 'ENCRYPTION_VAULT_KEY has no effect without ENCRYPTION_VAULT_URL'],
  ['api', { ENCRYPTION_KEYS: keys, LAB_PARTNER_LABS: 'quest' }, 'LAB_PARTNER_LABS has no effect without LAB_PARTNER_URL'],
  ['api', { ENCRYPTION_KEYS: keys, PORT: '9090', HEALTH_PORT: '9090' }, 'HEALTH_PORT must be another port than PORT'],
  ['api', { ENCRYPTION_KEYS: keys, LINK_WEB_URL: 'https://x.example/link?brand=a' }, 'LINK_WEB_URL must be a URL that starts with http'],
  ['relay', { OTEL_EXPORTER_OTLP_ENDPOINT: 'https://x.example/#a' }, 'OTEL_EXPORTER_OTLP_ENDPOINT must be a URL that starts with http'],
  ['dispatcher', { ENCRYPTION_KEYS: keys, PROVIDER_LOGO_BASE_URL: 'https://x.example/?a=b' }, 'PROVIDER_LOGO_BASE_URL must be a URL'],
  ['scheduler', { ENCRYPTION_VAULT_URL: 'https://v.example?a=b', ENCRYPTION_VAULT_TOKEN: 't' }, 'ENCRYPTION_VAULT_URL must be a URL'],
  ['relay', { KAFKA_TOPIC_PREFIX: 'a b/' }, 'KAFKA_TOPIC_PREFIX must be at most 200 letters, digits, dots, dashes and underscores'],
  ['relay', { KAFKA_TOPIC_PREFIX: 'a'.repeat(201) }, 'KAFKA_TOPIC_PREFIX must be at most 200 letters'],
  ['relay', { ...kafka, KAFKA_SASL_USERNAME: 'u' }, 'KAFKA_SASL_USERNAME has no effect without KAFKA_SASL_MECHANISM=plain'],
  ['relay', { ...kafka, KAFKA_TLS: 'on', KAFKA_TLS_CA_FILE: '/dev/null' }, 'KAFKA_TLS_CA_FILE must contain certificates in PEM'],
  ['scheduler', { ...vault, ENCRYPTION_VAULT_MOUNT: '../sys' }, 'ENCRYPTION_VAULT_MOUNT must be a path like transit or team/transit'],
  ['scheduler', { ...vault, ENCRYPTION_VAULT_KEY: '..' }, 'ENCRYPTION_VAULT_KEY must consist of letters'],
  ['scheduler', { ...vault, ENCRYPTION_VAULT_NAMESPACE: '../../x' }, 'ENCRYPTION_VAULT_NAMESPACE must be a path'],
  ['scheduler', { ...vault, ENCRYPTION_VAULT_CA_FILE: '/dev/null' }, 'ENCRYPTION_VAULT_CA_FILE must contain certificates in PEM'],
  ['relay', { SCHEMA_REGISTRY_URL: 'https://u:p@x.example/?a=b', KAFKA_BROKERS: 'h:9' }, 'SCHEMA_REGISTRY_URL must be a URL'],
  ['scheduler', { ENCRYPTION_KEYS: keys, ERASURES_FILE: '/tmp' }, 'ERASURES_FILE must be a file, but it is a folder'],
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
