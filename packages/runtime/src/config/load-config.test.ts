import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAppError } from '@pulsewire/kernel';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defineConfig, type ConfigFields } from './fields.ts';
import { loadConfig, type Environment } from './load-config.ts';

const fields = defineConfig({
  host: { env: 'HOST', type: 'string', default: '127.0.0.1', description: 'Address.' },
  port: { env: 'PORT', type: 'integer', max: 65_535, default: 8080, description: 'Port.' },
  demo: { env: 'DEMO', type: 'enum', values: ['on', 'off'], default: 'on', description: 'Demo.' },
  isOrdered: { env: 'DELIVERY_ORDERED', type: 'boolean', default: false, description: 'Order.' },
  databaseUrl: {
    env: 'DATABASE_URL',
    type: 'url',
    schemes: ['postgres', 'postgresql'],
    optional: true,
    secret: true,
    description: 'Postgres.',
  },
  networks: { env: 'WEBHOOK_ALLOWED_NETWORKS', type: 'networks', default: [], description: 'Networks.' },
  masterKey: { env: 'MASTER_KEY', type: 'string', minLength: 8, secret: true, description: 'Key of keys.' },
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
  it('gives typed values, defaults for what is not set, and undefined for what is optional', () => {
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

  it('freezes what it gives', () => {
    const config = loadConfig(fields, { ...complete, WEBHOOK_ALLOWED_NETWORKS: '10.0.0.0/8' });
    expect(Object.isFrozen(config)).toBe(true);
    expect(Object.isFrozen(config.networks)).toBe(true);
  });

  it('reports every problem at once, and repeats no value', () => {
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
      'DATABASE_URL must be a URL that starts with postgres:// or postgresql://',
      'WEBHOOK_ALLOWED_NETWORKS must be addresses or networks like 10.0.0.0/8, separated by commas',
      'MASTER_KEY is missing: Key of keys.',
    ]);
  });

  it('says of every text the form that it lacks', () => {
    const form = { text: 'digits', has: (text: string) => /^\d+$/.test(text) };
    const formed = defineConfig({
      one: { env: 'ONE', type: 'string', optional: true, form, description: 'One.' },
      two: { env: 'TWO', type: 'string', optional: true, form, description: 'Two.' },
    });
    expect(problemsOf(formed, { ONE: 'x', TWO: 'y' })).toEqual(['ONE must be digits', 'TWO must be digits']);
    expect(loadConfig(formed, { ONE: '7' })).toEqual({ one: '7', two: undefined });
  });

  it('takes an empty variable for one that is not set', () => {
    expect(loadConfig(fields, { ...complete, PORT: '', DATABASE_URL: '' })).toMatchObject({ port: 8080, databaseUrl: undefined });
  });

  it.each(['1.5', '1e3', '0x10', ' 1', '-1', 'NaN'])('refuses %j as a whole number', (text) => {
    expect(problemsOf(fields, { ...complete, PORT: text })).toHaveLength(1);
  });

  it('reports a variable that looks like a slip of the keyboard', () => {
    expect(problemsOf(fields, { ...complete, WEBHOOK_ALOWED_NETWORKS: '10.0.0.0/8' })).toEqual([
      'WEBHOOK_ALOWED_NETWORKS is not a setting; did you mean WEBHOOK_ALLOWED_NETWORKS?',
    ]);
  });

  it('leaves foreign variables alone, however short their distance', () => {
    expect(problemsOf(fields, { ...complete, HOME: '/root', POST: '1', DATABASE_HOST: 'db', DELIVERY_ORDER_BY: 'x' })).toEqual([]);
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

    it('reports a file that cannot be read, and a secret that is given twice', () => {
      expect(problemsOf(fields, { MASTER_KEY_FILE: join(folder, 'none') })).toEqual(['MASTER_KEY_FILE cannot be read (ENOENT)']);
      expect(problemsOf(fields, { ...complete, MASTER_KEY_FILE: join(folder, 'key') })).toEqual([
        'MASTER_KEY and MASTER_KEY_FILE are both set: keep one',
      ]);
    });

    it('reads no file for a setting that is not secret', () => {
      expect(loadConfig(fields, { ...complete, HOST_FILE: join(folder, 'key') }).host).toBe('127.0.0.1');
    });
  });
});
