import type { TestProject } from 'vitest/node';
import { startTestServer } from './test-server.ts';
import { startPostgresContainer } from './postgres-container.ts';
import type { GivenVault } from './vault/vault-control.ts';

declare module 'vitest' {
  interface ProvidedContext {
    adminUrl: string;
    template: string;
    postgresMajor: number;
    /** Every database has the settings of `hostileSettings`. */
    hostile: boolean;
    /** From VAULT_ADDR, VAULT_TOKEN, VAULT_CACERT and VAULT_UNSEAL_KEY; null: the tests use a simulated Vault. */
    vault: GivenVault | null;
  }
}

/** Starts one Postgres per run: the server in DATABASE_URL, a container with the major version in POSTGRES_VERSION, or the embedded one. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { DATABASE_URL: given, POSTGRES_VERSION: version } = process.env;
  const container = !given && version ? await startPostgresContainer(version) : null;
  const server = await startTestServer({ url: given ?? container?.url });
  project.provide('adminUrl', server.adminUrl);
  project.provide('template', server.template);
  project.provide('postgresMajor', server.majorVersion);
  project.provide('hostile', process.env['POSTGRES_SETTINGS'] === 'hostile');
  const { VAULT_ADDR: url, VAULT_TOKEN: token, VAULT_CACERT: caFile = null, VAULT_UNSEAL_KEY: unsealKey = null } = process.env;
  project.provide('vault', url && token ? { url, token, caFile, unsealKey } : null);
  return async () => {
    await server.stop();
    await container?.stop();
  };
}
