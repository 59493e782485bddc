import { errorCode } from '@pulsewire/kernel';
import type { Tx } from '@pulsewire/database';
import type { LabOwners, LabUser, LabsContext } from '../context/context.ts';

/** Dependencies of parsing, which only looks up users. */
export type ReportContext = Omit<LabsContext, 'owners' | 'partners'> & { readonly owners: Pick<LabOwners, 'findUser'> };

/** The user of a report; null when the user was deleted meanwhile, so that no more events are emitted. */
export async function findLiveUser(
  { owners }: ReportContext,
  tx: Tx,
  row: { readonly teamId: string; readonly userId: string },
): Promise<LabUser | null> {
  try {
    return await owners.findUser(tx, row.teamId, row.userId);
  } catch (error) {
    if (['user_not_found', 'user_deleted'].includes(errorCode(error))) return null;
    throw error;
  }
}
