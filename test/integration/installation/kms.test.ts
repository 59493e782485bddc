import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import {
  activateDataKey,
  configuredKeys,
  configuredKms,
  encryptionConfig,
  newDataKey,
  openCipher,
  readDataKeys,
  retireCipherKeys,
  rewrapDataKeys,
  type Kms,
  type VaultConfig,
} from '@pulsewire/database';
import { silentLogger, systemClock } from '@pulsewire/kernel';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { createVaultTransit } from '../../../packages/database/src/keys/kms/vault-transit.ts';
import { loadConfig } from '../../../packages/runtime/src/config/load-config.ts';
import { startWithRetries } from '../../../packages/runtime/src/process/start-with-retries.ts';
import { openAdminCipher } from '../../../services/standalone/src/admin/command/open-admin-cipher.ts';
import { useDatabase } from '../../support/database.ts';
import { openVault, type VaultControl } from '../../support/vault/vault-control.ts';

const database = useDatabase();
const given = inject('vault');
let vault: VaultControl;
let config: VaultConfig & { vaultKey: string };

beforeAll(async () => {
  vault = await openVault(given);
});
afterAll(() => vault.stop());
beforeEach(async () => {
  await database.current.sql`DELETE FROM encryption_key_checks`;
  await database.current.sql`DELETE FROM encryption_data_keys`;
  const vaultKey = await vault.createKey();
  const vaultToken = await vault.tokenFor(vaultKey, ['encrypt', 'decrypt']);
  config = { vaultUrl: vault.url, vaultKey, vaultToken, vaultCaFile: vault.caFile };
});

const open = (changes: VaultConfig & { encryptionKeys?: string } = {}) =>
  openCipher(database.current, configuredKeys(database.current, { ...config, ...changes }));
const kms = () => configuredKms(config) as Kms;
const textKey = () => randomBytes(32).toString('base64');

/** A server that responds in this way. */
async function answering(handle: http.RequestListener): Promise<{ url: string; close(): void }> {
  const server = http.createServer(handle);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}

describe('data keys in a KMS', () => {
  it('creates one first key when several processes start at once, and stores it only encrypted', async () => {
    const ciphers = await Promise.all([open(), open(), open()]);
    const sealed = ciphers.map((cipher, index) => cipher.seal(`value ${index}`, 'row'));
    expect(sealed.map((value) => ciphers[0]?.open(value, 'row'))).toEqual(['value 0', 'value 1', 'value 2']);
    const [row, ...others] = await readDataKeys(database.current);
    expect(others).toEqual([]);
    expect(row?.wrapped.toString()).toMatch(/^vault:v1:/);
  });

  it('seals with a new data key only after its activation, when every process can open it', async () => {
    const before = await open();
    expect(await newDataKey(database.current, kms(), [])).toBe(2);
    const restarted = await open();
    expect(restarted.currentKeyId).toBe(1);
    await activateDataKey(database.current, 2);
    const sealing = await open();
    expect(sealing.currentKeyId).toBe(2);
    expect(restarted.open(sealing.seal('token', 'row'), 'row')).toBe('token');
    expect(sealing.open(before.seal('older', 'row'), 'row')).toBe('older');
    await retireCipherKeys(database.current, 2);
    expect((await readDataKeys(database.current)).map((row) => row.keyId)).toEqual([2]);
    expect((await open()).currentKeyId).toBe(2);
  });

  it('rewraps data keys with a new version of the KMS key, and keeps the data keys', async () => {
    const sealed = (await open()).seal('token', 'row');
    await vault.rotate(config.vaultKey);
    expect((await open()).open(sealed, 'row')).toBe('token');
    expect(await rewrapDataKeys(database.current, kms())).toEqual([{ keyId: 1, from: 1, to: 2 }]);
    expect((await readDataKeys(database.current))[0]?.wrapped.toString()).toMatch(/^vault:v2:/);
    expect((await open()).open(sealed, 'row')).toBe('token');
  });

  it('moves from keys in the configuration to the KMS while processes run', async () => {
    const encryptionKeys = `1:${textKey()}`;
    const before = await openCipher(database.current, encryptionKeys);
    const sealed = before.seal('token', 'row');
    expect((await open({ encryptionKeys })).currentKeyId).toBe(1);
    expect(await newDataKey(database.current, kms(), [1])).toBe(2);
    await activateDataKey(database.current, 2);
    const both = await open({ encryptionKeys });
    expect([both.currentKeyId, both.open(sealed, 'row')]).toEqual([2, 'token']);
    await expect(open()).rejects.toMatchObject({ code: 'encryption_key_missing' });
    await retireCipherKeys(database.current, 2);
    expect((await open()).currentKeyId).toBe(2);
  });

  it('rejects data keys that were swapped', async () => {
    await open();
    await newDataKey(database.current, kms(), []);
    await database.current.sql`
      UPDATE encryption_data_keys d SET wrapped = o.wrapped FROM encryption_data_keys o WHERE d.key_id = 1 AND o.key_id = 2`;
    await expect(open()).rejects.toMatchObject({ code: 'kms_key_wrong' });
  });
});

describe('a KMS that does not return the keys', () => {
  it('delays the start while it is unavailable, and does not affect a process that has its keys', async () => {
    const cipher = await open();
    const sealed = cipher.seal('token', 'row');
    const away = await answering((_request, response) => response.writeHead(503).end('{"errors":["Vault is sealed"]}'));
    const waits = { logger: silentLogger, clock: systemClock, signal: new AbortController().signal, deadlineMs: 20_000 };
    const addresses = [away.url, away.url, vault.url];
    const started = await startWithRetries(() => open({ vaultUrl: addresses.shift() }), waits);
    expect([started.open(sealed, 'row'), addresses]).toEqual(['token', []]);
    const error = { code: 'kms_unavailable', message: `Vault at ${away.url} is temporarily unavailable (status 503: Vault is sealed)` };
    await expect(startWithRetries(() => open({ vaultUrl: away.url }), { ...waits, deadlineMs: 0 })).rejects.toMatchObject(error);
    away.close();
    await expect(open({ vaultUrl: away.url })).rejects.toMatchObject({ code: 'kms_unavailable', retryable: true });
    expect(cipher.open(sealed, 'row')).toBe('token');
  });

  it('does not block commands that need no key while it is unavailable', async () => {
    await open();
    const cipher = await openAdminCipher(database.current, { ...config, vaultUrl: 'http://127.0.0.1:1' });
    expect(() => cipher.currentKeyId).toThrow('cannot be reached (ECONNREFUSED)');
  });

  it.skipIf(given !== null && given.unsealKey === null)('delays the start while it is sealed', async () => {
    await open();
    await vault.seal();
    try {
      await expect(open()).rejects.toMatchObject({ code: 'kms_unavailable', retryable: true, message: expect.stringContaining('sealed') });
    } finally {
      await vault.unseal();
    }
    await expect.poll(() => open().then(() => 'opened', String), { timeout: 30_000 }).toBe('opened');
  });

  it('reports an expired or revoked token, and accepts one that was renewed in time', async () => {
    await open();
    const [expiring, renewed] = await Promise.all(['4s', '4s'].map((ttl) => vault.tokenFor(config.vaultKey, ['decrypt'], ttl)));
    await vault.renew(renewed as string, '600s');
    const outcome = () =>
      open({ vaultToken: expiring as string }).then(
        () => 'opened',
        (error: { code: string }) => error.code,
      );
    await expect.poll(outcome, { timeout: 60_000, interval: 250 }).toBe('kms_permission_denied');
    expect((await open({ vaultToken: renewed as string })).currentKeyId).toBe(1);
    await vault.revoke(renewed as string);
    await expect(open({ vaultToken: renewed as string })).rejects.toMatchObject({ code: 'kms_permission_denied' });
  });

  it('reads a token from its file at each start, so that replacing the file renews it', async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'kms-'));
    const file = path.join(folder, 'token');
    const start = () => {
      const env = { ENCRYPTION_VAULT_URL: vault.url, ENCRYPTION_VAULT_KEY: config.vaultKey, ENCRYPTION_VAULT_TOKEN_FILE: file };
      const ca = vault.caFile === undefined ? {} : { ENCRYPTION_VAULT_CA_FILE: vault.caFile };
      return openCipher(database.current, configuredKeys(database.current, loadConfig(encryptionConfig, { ...env, ...ca })));
    };
    await writeFile(file, `${config.vaultToken}\n`);
    await start();
    await vault.revoke(config.vaultToken as string);
    await expect(start()).rejects.toMatchObject({ code: 'kms_permission_denied' });
    await writeFile(file, await vault.tokenFor(config.vaultKey, ['decrypt']));
    expect((await start()).currentKeyId).toBe(1);
    await rm(folder, { recursive: true });
  });

  it('trusts a certificate of a private authority only when configured to', async ({ skip }) => {
    if (vault.caFile === undefined) skip('the given Vault speaks http');
    await open();
    const untrusting = open({ vaultCaFile: undefined });
    await expect(untrusting).rejects.toMatchObject({ code: 'kms_certificate_untrusted', retryable: false });
  });

  it('reports that a version of the KMS key is no longer allowed', async () => {
    await open();
    await vault.rotate(config.vaultKey);
    await vault.decryptFrom(config.vaultKey, 2);
    await expect(open()).rejects.toMatchObject({ code: 'kms_key_wrong', message: expect.stringContaining('too old') });
    await vault.decryptFrom(config.vaultKey, 1);
    await rewrapDataKeys(database.current, kms());
    await vault.decryptFrom(config.vaultKey, 2);
    expect((await open()).currentKeyId).toBe(1);
  });

  it('sends its namespace to the server, and times out without a response', async () => {
    const namespaces: unknown[] = [];
    const server = await answering((request) => void namespaces.push(request.headers['x-vault-namespace']));
    const options = {
      url: new URL(server.url),
      token: 't',
      namespace: 'team/a',
      ca: undefined,
      mount: 'transit',
      key: 'k',
      deadlineMs: 300,
    };
    const error = { code: 'kms_unavailable', retryable: true, message: expect.stringContaining('no response within 300 ms') };
    await expect(createVaultTransit(options).wrap(randomBytes(32), 'row')).rejects.toMatchObject(error);
    expect(namespaces).toEqual(['team/a']);
    server.close();
  });

  it('reports denied permission to encrypt or decrypt, and does not retry', async () => {
    await open();
    const onlyEncrypts = await vault.tokenFor(config.vaultKey, ['encrypt']);
    await expect(open({ vaultToken: onlyEncrypts })).rejects.toMatchObject({ code: 'kms_permission_denied', retryable: false });
    await expect(open({ vaultToken: 'hvs.unknown' })).rejects.toMatchObject({ code: 'kms_permission_denied' });
    const onlyDecrypts = await vault.tokenFor(config.vaultKey, ['decrypt']);
    const limited = configuredKms({ ...config, vaultToken: onlyDecrypts }) as Kms;
    await expect(newDataKey(database.current, limited, [])).rejects.toMatchObject({ code: 'kms_permission_denied' });
  });

  it('reports a different KMS key, by its name and by its content', async () => {
    await open();
    const other = await vault.createKey();
    const changes = { vaultKey: other, vaultToken: await vault.tokenFor(other, ['encrypt', 'decrypt']) };
    await expect(open(changes)).rejects.toMatchObject({ code: 'kms_key_wrong' });
    await database.current.sql`UPDATE encryption_data_keys SET kms_key = ${`vault:transit/${other}`}`;
    await expect(open(changes)).rejects.toMatchObject({ code: 'kms_key_wrong' });
  });

  it('reports that the key does not exist and that the token may not create it', async () => {
    const vaultKey = 'missing';
    const vaultToken = await vault.tokenFor(vaultKey, ['encrypt', 'decrypt']);
    const missing = configuredKms({ ...config, vaultKey, vaultToken }) as Kms;
    await expect(missing.wrap(randomBytes(32), 'row')).rejects.toMatchObject({ code: 'kms_permission_denied' });
    await expect(missing.unwrap(Buffer.from('vault:v1:AAAA'), 'row')).rejects.toMatchObject({ code: 'kms_key_not_found' });
  });

  it('rejects a response that is truncated, too large, a redirect or not from Vault', async () => {
    const cases: [http.RequestListener, string][] = [
      [(_request, response) => response.writeHead(200).end('x'.repeat(100_000)), 'kms_response_invalid'],
      [(_request, response) => response.writeHead(200).end('<html>'), 'kms_response_invalid'],
      [(_request, response) => response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end(), 'kms_refused'],
      [(request) => request.socket.destroy(), 'kms_unavailable'],
    ];
    for (const [handle, code] of cases) {
      const server = await answering(handle);
      const broken = configuredKms({ ...config, vaultUrl: server.url }) as Kms;
      await expect(broken.wrap(randomBytes(32), 'row')).rejects.toMatchObject({ code });
      server.close();
    }
  });
});

describe('the settings of a KMS', () => {
  it('are rejected together, each with its error', () => {
    const wrong = { vaultUrl: 'http://vault.example:8200', vaultKey: '../keys', vaultMount: 'a//b', vaultCaFile: '/nowhere/ca.pem' };
    expect(() => configuredKms(wrong)).toThrow(/https.*TOKEN is missing.*VAULT_KEY.*VAULT_MOUNT.*CA_FILE cannot be read \(ENOENT\)/);
  });

  it('are required when no keys are configured as text', () => {
    expect(() => configuredKeys(database.current, {})).toThrow('ENCRYPTION_KEYS is missing');
  });
});
