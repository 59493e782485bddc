import type { TestProject } from 'vitest/node';
import { startTestServer } from '@pulsewire/database/testing';

declare module 'vitest' {
  interface ProvidedContext {
    adminUrl: string;
    template: string;
    postgresMajor: number;
    /** A Vault that was started for the tests, with a token that may do everything; null: a server that speaks like it is used. */
    vault: { readonly url: string; readonly token: string } | null;
  }
}

/** One Postgres per run: the one in DATABASE_URL, else the embedded one. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startTestServer({ url: process.env['DATABASE_URL'] });
  project.provide('adminUrl', server.adminUrl);
  project.provide('template', server.template);
  project.provide('postgresMajor', server.majorVersion);
  const { VAULT_ADDR: vaultUrl, VAULT_TOKEN: vaultToken } = process.env;
  project.provide('vault', vaultUrl && vaultToken ? { url: vaultUrl, token: vaultToken } : null);
  return () => server.stop();
}
