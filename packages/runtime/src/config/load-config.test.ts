import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAppError } from '@pulsewire/kernel';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defineConfig, type ConfigFields } from './fields.ts';
import { foreignVariables, loadConfig } from './load-config.ts';
import type { Environment } from './misnamed.ts';

const fields = defineConfig({
  host: { env: 'HOST', schema: Type.String({ default: '127.0.0.1' }), description: 'Address.' },
  port: { env: 'PORT', schema: Type.Integer({ minimum: 0, maximum: 65_535, default: 8080 }), description: 'Port.' },
  demo: { env: 'DEMO', schema: Type.Enum(['on', 'off'], { default: 'on' }), description: 'Demo.' },
  isOrdered: { env: 'DELIVERY_ORDERED', schema: Type.Boolean({ default: false }), description: 'Order.' },
  databaseUrl: {
    env: 'DATABASE_URL',
    schema: Type.Optional(Type.String({ format: 'postgres-url' })),
    secret: true,
    description: 'Postgres.',
  },
  networks: {
    env: 'WEBHOOK_ALLOWED_NETWORKS',
    schema: Type.Array(Type.String({ format: 'network' }), { default: [] }),
    description: 'Networks.',
  },
  masterKey: { env: 'MASTER_KEY', schema: Type.String({ minLength: 8 }), secret: true, description: 'Key of keys.' },
});

const complete = { MASTER_KEY: 'long enough' };

function problemsOf(from: ConfigFields, env: Environment): unknown {
  try {
    loadConfig(from, env);
  } catch (error) {
    if (isAppError(error)) return error.details['problems'];
    throw error;
  }
  return [];
}

describe('loadConfig', () => {
  it('returns typed values, defaults for unset variables, and undefined for optional ones', () => {
    const config = loadConfig(fields, { ...complete, PORT: '0', DELIVERY_ORDERED: 'yes', WEBHOOK_ALLOWED_NETWORKS: '10.0.0.0/8, ::1' });
    expect(config).toEqual({
      host: '127.0.0.1',
      port: 0,
      demo: 'on',
      isOrdered: true,
      databaseUrl: undefined,
      networks: ['10.0.0.0/8', '::1'],
      masterKey: 'long enough',
    });
  });

  it('freezes its result', () => {
    const config = loadConfig(fields, { ...complete, WEBHOOK_ALLOWED_NETWORKS: '10.0.0.0/8' });
    expect(Object.isFrozen(config)).toBe(true);
    expect(Object.isFrozen(config.networks)).toBe(true);
  });

  it('reports every problem at once, without any value', () => {
    const problems = problemsOf(fields, {
      PORT: '70000',
      DEMO: 'maybe',
      DELIVERY_ORDERED: 'often',
      DATABASE_URL: 'mysql://root:hunter2@db/x',
      WEBHOOK_ALLOWED_NETWORKS: '10.0.0.0/33',
    });
    expect(problems).toEqual([
      'PORT must be a whole number from 0 to 65535',
      'DEMO must be one of on, off',
      'DELIVERY_ORDERED must be true or false',
      expect.stringMatching(/^DATABASE_URL must be a URL that starts with postgres.*connect_timeout.*target_session_attrs(?!.*hunter2)/),
      'WEBHOOK_ALLOWED_NETWORKS must be addresses or networks like 10.0.0.0/8, separated by commas, those of IPv4 without ::ffff: and those of IPv6 without a zone',
      'MASTER_KEY is missing: Key of keys.',
    ]);
  });

  it('reports the required format for every invalid text', () => {
    const digits = Type.Optional(
      Type.Refine(
        Type.String(),
        (text) => /^\d+$/.test(text),
        () => 'digits',
      ),
    );
    const formed = defineConfig({
      one: { env: 'ONE', schema: digits, description: 'One.' },
      two: { env: 'TWO', schema: digits, description: 'Two.' },
    });
    expect(problemsOf(formed, { ONE: 'x', TWO: 'y' })).toEqual(['ONE must be digits', 'TWO must be digits']);
    expect(loadConfig(formed, { ONE: '7' })).toEqual({ one: '7', two: undefined });
  });

  it('treats an empty variable as unset', () => {
    expect(loadConfig(fields, { ...complete, PORT: '', DATABASE_URL: '' })).toMatchObject({ port: 8080, databaseUrl: undefined });
  });

  it.each(['1.5', '1e3', '0x10', ' 1', '-1', 'NaN'])('refuses %j as a whole number', (text) => {
    expect(problemsOf(fields, { ...complete, PORT: text })).toHaveLength(1);
  });

  it('refuses a variable that looks like a typo, with the setting that was probably meant', () => {
    expect(problemsOf(fields, { ...complete, WEBHOOK_ALOWED_NETWORKS: '10.0.0.0/8' })).toEqual([
      'WEBHOOK_ALOWED_NETWORKS is not a setting; did you mean WEBHOOK_ALLOWED_NETWORKS? If it belongs to another program, add it to FOREIGN_VARIABLES',
    ]);
  });

  it.each([
    ['SANDBOX_USERS', 'SANDBOX_USERS_MAX'],
    ['KAFKA_MAX_PARTITIONS', 'KAFKA_PARTITIONS'],
    ['DATABASE_MAX_CONNECTIONS', 'DATABASE_CONNECTIONS_MAX'],
    ['PROVIDER_FITBIT_CLIENTID', 'PROVIDER_FITBIT_CLIENT_ID'],
    ['API_RATE_LIMIT_FILE', 'API_RATE_LIMIT'],
    ['PORTAL_ENABLED', 'PORTAL'],
    ['WORKERS_MAX', 'WORKERS'],
  ])('refuses %s, which begins like a setting and is read by no process, and names %s', (name, meant) => {
    expect(problemsOf(fields, { ...complete, [name]: '1' })).toEqual([expect.stringContaining(`did you mean ${meant}?`)]);
  });

  it.each([
    ['DEMOO', 'DEMO'],
    ['PROT', 'PORT'],
    ['HOSTS', 'HOST'],
    ['demo', 'DEMO'],
    ['Port', 'PORT'],
    ['database_url', 'DATABASE_URL'],
    ['OTEL_EXPORTER_OTLP_ENDPOIN', 'OTEL_EXPORTER_OTLP_ENDPOINT'],
  ])('refuses %s, one slip away from %s', (name, meant) => {
    expect(problemsOf(fields, { ...complete, [name]: '1' })).toEqual([expect.stringContaining(`did you mean ${meant}?`)]);
  });

  it.each(['PULSEWIRE_PORT', 'PULSEWIRE_DATABASE_URL'])('refuses %s, because settings have no such beginning', (name) => {
    expect(problemsOf(fields, { ...complete, [name]: '1' })).toEqual([expect.stringContaining(`did you mean ${name.slice(10)}?`)]);
  });

  it.each([',', ', ,', ' ,'])('refuses the list %j, which names nothing', (text) => {
    for (const env of ['WEBHOOK_ALLOWED_NETWORKS', 'FOREIGN_VARIABLES'])
      expect(problemsOf({ ...fields, foreignVariables }, { ...complete, [env]: text })).not.toEqual([]);
  });

  it.each(['PORT', 'HOST', 'DEMO', 'WEBHOOK_ALLOWED_NETWORKS', 'MASTER_KEY'])('refuses blanks for %s', (env) => {
    expect(problemsOf(fields, { ...complete, [env]: ' ' })).toEqual([`${env} is blank: set it, or remove it`]);
  });

  it('refuses text with characters that nobody sees, without showing it', () => {
    for (const text of ['hidden\u200btext', 'hidden\ntext', '\ufeffhidden text', 'hidden\u0001text'])
      expect(problemsOf(fields, { MASTER_KEY: text })).toEqual([
        expect.stringMatching(/^MASTER_KEY contains an invisible character(?!.*hidden)/),
      ]);
  });

  it('names the values of a choice', () => {
    const schema = Type.Optional(Type.Union([Type.Literal('kg'), Type.Literal('lb')]));
    const unit = defineConfig({ unit: { env: 'UNIT', schema, description: 'Unit.' } });
    expect(problemsOf(unit, { UNIT: 'stone' })).toEqual(['UNIT must be one of kg, lb']);
  });

  it('refuses the former name of a setting with its present one', () => {
    const renamed = defineConfig({
      pool: { env: 'POOL_MAX', formerly: ['OLD_POOL'], schema: Type.Integer({ default: 1 }), description: 'Pool.' },
    });
    expect(problemsOf(renamed, { OLD_POOL: '5' })).toEqual(['OLD_POOL is now POOL_MAX: rename it']);
    expect(problemsOf(fields, { ...complete, RELAY_DATABASE_CONNECTIONS_MAX: '4' })).toEqual([
      'RELAY_DATABASE_CONNECTIONS_MAX is now DATABASE_CONNECTIONS_MAX: rename it',
    ]);
  });

  it('accepts settings of other processes, and variables that are set to nothing', () => {
    const env = { RETENTION_VAULT_DAYS: '3', KAFKA_SASL_PASSWORD_FILE: '/run/secrets/none', SANDBOX_USERS: '' };
    expect(problemsOf(fields, { ...complete, ...env })).toEqual([]);
  });

  it('accepts unrelated variables, and those that launchers, Kubernetes and OpenTelemetry set', () => {
    const unrelated = {
      HOME: '/root',
      POST: '1',
      SPORT: 'x',
      http_proxy: 'x',
      DELIVERY_ORDER_BY: 'x',
      KAFKA_HOME: '/opt/kafka',
      KAFKA_HEAP_OPTS: '-Xmx1g',
    };
    const linked = {
      API_SERVICE_HOST: '10.0.0.1',
      API_SERVICE_PORT_HTTP: '80',
      API_PORT: 'tcp://10.0.0.1:80',
      API_PORT_80_TCP_ADDR: '10.0.0.1',
    };
    expect(problemsOf(fields, { ...complete, ...unrelated, ...linked, OTEL_SERVICE_NAME: 'x', API_KEY: 'sk_1' })).toEqual([]);
  });

  it('refuses an own address with a query, and FOREIGN_VARIABLES that excuse everything', () => {
    const address = defineConfig({
      baseUrl: { env: 'BASE_URL', schema: Type.Optional(Type.String({ format: 'base-url' })), description: 'Own address.' },
    });
    for (const url of ['https://u:p@host', 'https://host/x?q=1', 'https://host/#top', 'ftp://host'])
      expect(problemsOf(address, { BASE_URL: url })).toEqual([expect.stringMatching(/^BASE_URL must be a URL that starts with http/)]);
    expect(problemsOf(address, { BASE_URL: 'https://host/path' })).toEqual([]);
    expect(problemsOf(address, { FOREIGN_VARIABLES: '*' })).toHaveLength(1);
  });

  it('accepts what FOREIGN_VARIABLES names', () => {
    const env = { DATABASE_HOST: 'db', KAFKA_CFG_NODE_ID: '1', KAFKA_CFG_LISTENERS: 'x', KAFKA_BROKER: 'b' };
    const problems = problemsOf(fields, { ...complete, ...env, FOREIGN_VARIABLES: 'DATABASE_HOST, KAFKA_CFG_*' });
    expect(problems).toEqual([expect.stringContaining('KAFKA_BROKER is not a setting; did you mean KAFKA_BROKERS?')]);
  });

  describe('with a secret in a file', () => {
    let folder = '';
    beforeAll(() => {
      folder = mkdtempSync(join(tmpdir(), 'pulsewire-config-'));
      writeFileSync(join(folder, 'key'), 'from the file\n');
    });
    afterAll(() => rmSync(folder, { recursive: true }));

    it('reads the file without its last newline', () => {
      expect(loadConfig(fields, { MASTER_KEY_FILE: join(folder, 'key') }).masterKey).toBe('from the file');
    });

    it('reports an unreadable file, and a secret that is set twice', () => {
      expect(problemsOf(fields, { MASTER_KEY_FILE: join(folder, 'none') })).toEqual(['MASTER_KEY_FILE cannot be read (ENOENT)']);
      expect(problemsOf(fields, { ...complete, MASTER_KEY_FILE: join(folder, 'key') })).toEqual([
        'MASTER_KEY and MASTER_KEY_FILE are both set: keep one',
      ]);
    });

    it('reports an empty file', () => {
      writeFileSync(join(folder, 'empty'), '\n');
      expect(problemsOf(fields, { MASTER_KEY_FILE: join(folder, 'empty') })).toEqual(['MASTER_KEY_FILE is empty']);
    });

    it('refuses a file for a setting that is not secret, instead of leaving it unread', () => {
      for (const name of ['HOST', 'PORT'])
        expect(problemsOf(fields, { ...complete, [`${name}_FILE`]: join(folder, 'key') })).toEqual([
          expect.stringContaining(`${name}_FILE is not a setting; did you mean ${name}?`),
        ]);
    });

    it.each([
      ['a byte order mark', '\ufefffrom the file', 'invisible character'],
      ['NUL at its end', 'from the file\0\0', 'invisible character'],
      ['a second line', 'from\nthe file', 'invisible character'],
      ['a zero-width space', 'from\u200bthe file', 'invisible character'],
      ['UTF-16', Buffer.from('\ufefffrom the file', 'utf16le'), 'is not UTF-8'],
      ['blanks and line breaks only', ' \r\n', 'MASTER_KEY_FILE is empty'],
    ])('refuses a file with %s, and names the setting and the file', (_, content, problem) => {
      const file = join(folder, 'spoiled');
      writeFileSync(file, content);
      const [found] = problemsOf(fields, { MASTER_KEY_FILE: file }) as [string];
      expect(found).toContain(problem);
      expect(found).toMatch(/^MASTER_KEY_FILE/);
      if (!problem.startsWith('MASTER')) expect(found).toContain(file);
      expect(found).not.toContain('from');
    });

    it('reads a list of secrets with one item per line', () => {
      writeFileSync(join(folder, 'lines'), '1:first,\r\n2:second\r\n');
      expect(loadConfig(fields, { MASTER_KEY_FILE: join(folder, 'lines') }).masterKey).toBe('1:first,\r\n2:second');
    });
  });
});
