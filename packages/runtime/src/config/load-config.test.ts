import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAppError } from '@pulsewire/kernel';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defineConfig, type ConfigFields } from './fields.ts';
import { loadConfig, type Environment } from './load-config.ts';
import { Type } from 'typebox';

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
      'DATABASE_URL must be a URL that starts with postgres:// or postgresql://; several hosts are separated by commas',
      'WEBHOOK_ALLOWED_NETWORKS must be addresses or networks like 10.0.0.0/8, separated by commas',
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

  it('reports a variable that looks like a typo', () => {
    expect(problemsOf(fields, { ...complete, WEBHOOK_ALOWED_NETWORKS: '10.0.0.0/8' })).toEqual([
      'WEBHOOK_ALOWED_NETWORKS is not a setting; did you mean WEBHOOK_ALLOWED_NETWORKS?',
    ]);
  });

  it('ignores unrelated variables, however similar their names', () => {
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

    it('reads no file for a setting that is not secret', () => {
      expect(loadConfig(fields, { ...complete, HOST_FILE: join(folder, 'key') }).host).toBe('127.0.0.1');
    });
  });
});
