import type { Tx } from '@pulsewire/database';
import { isDuplicate, type Account } from '../../connections/duplicate-account.ts';
import { linkError } from '../session/link-error.ts';

/** Throws a link error `duplicate_connection` for a duplicate. */
export async function assertNoDuplicate(tx: Tx, account: Account): Promise<void> {
  if (await isDuplicate(tx, account)) throw linkError('duplicate_connection', 'Another user of the team is connected to this account');
}
