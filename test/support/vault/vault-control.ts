import { randomBytes } from 'node:crypto';
import { startVaultServer } from './vault-server.ts';

/** A Vault with a transit engine, as its administrator sees it. */
export interface VaultControl {
  readonly url: string;
  /** Makes a transit key under a name of its own. */
  createKey(): Promise<string>;
  rotate(key: string): Promise<void>;
  /** A token that may only do this with the key. */
  tokenFor(key: string, operations: readonly ('encrypt' | 'decrypt')[]): Promise<string>;
  stop(): Promise<void>;
}

/** The Vault given to the tests, else a server that speaks like it. */
export async function openVault(given: { readonly url: string; readonly token: string } | null): Promise<VaultControl> {
  const vault = given === null ? await startVaultServer() : { ...given, stop: async () => {} };
  const call = async (path: string, body: object): Promise<{ auth?: { client_token: string } }> => {
    const answer = await fetch(`${vault.url}/v1/${path}`, {
      method: 'POST',
      headers: { 'x-vault-token': vault.token },
      body: JSON.stringify(body),
    });
    const text = await answer.text();
    if (!answer.ok && !text.includes('path is already in use')) throw new Error(`${path}: ${answer.status} ${text}`);
    return text === '' ? {} : (JSON.parse(text) as { auth?: { client_token: string } });
  };
  await call('sys/mounts/transit', { type: 'transit' });
  return {
    url: vault.url,
    stop: vault.stop,
    async createKey() {
      const key = `pulsewire-${randomBytes(4).toString('hex')}`;
      await call(`transit/keys/${key}`, {});
      return key;
    },
    async rotate(key) {
      await call(`transit/keys/${key}/rotate`, {});
    },
    async tokenFor(key, operations) {
      const name = `test-${randomBytes(4).toString('hex')}`;
      const rules = operations.map((operation) => `path "transit/${operation}/${key}" { capabilities = ["update"] }`);
      await call(`sys/policies/acl/${name}`, { policy: rules.join('\n') });
      return (await call('auth/token/create', { policies: [name] })).auth?.client_token ?? '';
    },
  };
}
