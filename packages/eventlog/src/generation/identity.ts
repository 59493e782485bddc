import { createSecretKey, type KeyObject } from 'node:crypto';
import { run, type Executor } from '@pulsewire/database';
import { logInstallation } from '../model/tables.ts';

/** The installation's id, which its records contain, and the key that only its database has. */
export interface LogIdentity {
  readonly installationId: string;
  readonly macKey: KeyObject;
}

export async function readIdentity({ orm }: Executor): Promise<LogIdentity> {
  const { installationId, macKey } = logInstallation;
  const [row] = await run(orm.select({ installationId, macKey }).from(logInstallation));
  if (row === undefined) throw new Error('log_installation is empty');
  return { installationId: row.installationId, macKey: createSecretKey(row.macKey) };
}
