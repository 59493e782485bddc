import { createSecretKey, type KeyObject } from 'node:crypto';
import type { Executor } from '@pulsewire/database';

/** What the records of this installation carry, and the key that nobody has without access to its database. */
export interface LogIdentity {
  readonly installationId: string;
  readonly macKey: KeyObject;
}

export async function readIdentity({ sql }: Executor): Promise<LogIdentity> {
  const [row] = await sql<{ installation_id: string; mac_key: Buffer }[]>`SELECT installation_id, mac_key FROM log_installation`;
  if (row === undefined) throw new Error('log_installation is empty');
  return { installationId: row.installation_id, macKey: createSecretKey(row.mac_key) };
}
