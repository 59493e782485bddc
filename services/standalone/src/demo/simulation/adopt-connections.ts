import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { adoptSimulated, listSimulatedProviders } from '@pulsewire/connections';
import type { Database } from '@pulsewire/database';
import { connectors } from '@pulsewire/providers';
import { simulatorStateFile } from './simulated-slugs.ts';

interface GrantedAccounts {
  readonly grants?: { readonly grants?: readonly { readonly ownerId?: string; readonly providerUserId?: string }[] };
}

/** Accounts for which this data folder's simulator has issued tokens; none when it never ran, or its state is unreadable. */
async function grantedAccounts(dataDir: string, slug: string): Promise<readonly string[]> {
  const text = await readFile(path.join(dataDir, simulatorStateFile(slug)), 'utf8').catch(() => null);
  if (text === null) return [];
  try {
    const { grants } = JSON.parse(text) as GrantedAccounts;
    return (grants?.grants ?? []).flatMap(({ ownerId, providerUserId }) => ownerId ?? providerUserId ?? []);
  } catch {
    // Such a simulator does not start either, and reports why.
    return [];
  }
}

/**
 * Recognises connections that the demo of an earlier version has made: it did not record which providers were simulated. Without this the
 * demo would refuse to continue beside its own connections, and a start without it would send their tokens to the real providers.
 */
export async function adoptDemoConnections(database: Database, dataDir: string): Promise<void> {
  const known = new Set(await listSimulatedProviders(database));
  for (const { slug } of connectors) {
    if (known.has(slug)) continue;
    const accountIds = await grantedAccounts(dataDir, slug);
    if (accountIds.length > 0) await adoptSimulated(database, slug, accountIds);
  }
}
