import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { certificate } from './certificate.ts';
import { vaultCall, type VaultAddress } from './vault-call.ts';
import { startVaultServer } from './vault-server.ts';

/** The external Vault that VAULT_ADDR names. */
export interface GivenVault {
  readonly url: string;
  /** Token of the administrator. */
  readonly token: string;
  readonly caFile: string | null;
  /** Without it the tests of a sealed Vault are skipped. */
  readonly unsealKey: string | null;
}

/** A Vault with a transit engine, as its administrator sees it. */
export interface VaultControl {
  readonly url: string;
  /** CA certificates that verify it; undefined: it uses plain HTTP. */
  readonly caFile: string | undefined;
  /** Creates a transit key under a unique name. */
  createKey(): Promise<string>;
  rotate(key: string): Promise<void>;
  /** Stops the decryption of ciphertexts of older key versions. */
  decryptFrom(key: string, version: number): Promise<void>;
  /** A token with only this capability on the key; `ttl` such as `2s`. */
  tokenFor(key: string, operations: readonly ('encrypt' | 'decrypt')[], ttl?: string): Promise<string>;
  /** Renews a token, as the token itself may. */
  renew(token: string, ttl: string): Promise<void>;
  revoke(token: string): Promise<void>;
  seal(): Promise<void>;
  unseal(): Promise<void>;
  stop(): Promise<void>;
}

async function ownVault(): Promise<GivenVault & { stop(): Promise<void> }> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'pulsewire-vault-'));
  const caFile = path.join(folder, 'ca.pem');
  await writeFile(caFile, certificate);
  const server = await startVaultServer();
  const stop = async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
  return { ...server, caFile, stop };
}

/** The Vault configured for the tests, else a server that imitates it, over TLS. */
export async function openVault(given: GivenVault | null): Promise<VaultControl> {
  const vault = given === null ? await ownVault() : { ...given, stop: async () => {} };
  const address: VaultAddress = { ...vault, ca: vault.caFile === null ? undefined : await readFile(vault.caFile, 'utf8') };
  const call = (to: string, body: object = {}, asToken?: string) => vaultCall(address, to, body, asToken);
  await call('sys/mounts/transit', { type: 'transit' });
  return {
    url: vault.url,
    caFile: vault.caFile ?? undefined,
    stop: vault.stop,
    async createKey() {
      const key = `pulsewire-${randomBytes(4).toString('hex')}`;
      await call(`transit/keys/${key}`);
      return key;
    },
    async rotate(key) {
      await call(`transit/keys/${key}/rotate`);
    },
    async decryptFrom(key, version) {
      await call(`transit/keys/${key}/config`, { min_decryption_version: version });
    },
    async tokenFor(key, operations, ttl) {
      const name = `test-${randomBytes(4).toString('hex')}`;
      const rules = operations.map((operation) => `path "transit/${operation}/${key}" { capabilities = ["update"] }`);
      await call(`sys/policies/acl/${name}`, { policy: rules.join('\n') });
      return (await call('auth/token/create', { policies: [name], ...(ttl !== undefined && { ttl }) })).auth?.client_token ?? '';
    },
    async renew(token, ttl) {
      await call('auth/token/renew-self', { increment: ttl }, token);
    },
    async revoke(token) {
      await call('auth/token/revoke', { token });
    },
    async seal() {
      await call('sys/seal');
    },
    async unseal() {
      await call('sys/unseal', { key: vault.unsealKey });
    },
  };
}
