import { connectionForIntake } from '@pulsewire/connections';
import type { Database, Tx } from '@pulsewire/database';
import { withEvents } from '@pulsewire/eventlog';
import { lockRecords, drawVersion, findSummaries } from '@pulsewire/store';
import { writePhoneRecords } from '../batches/write-phone-records.ts';
import type { PhoneOwner } from '../model/phone-owner.ts';
import { buildSummaries } from '../summaries/build-summaries.ts';
import type { Touched } from '../summaries/find-touched.ts';

export const nothingTouched: Touched = { days: [], series: new Set(), hasReadings: true, isMoved: true, weighings: [], meals: [] };

/**
 * Builds what `find` returns and stores those summaries that do not exist yet, in one transaction under the user's lock; returns their
 * number. Nothing is built for a connection that was removed or paused meanwhile.
 */
export async function writeMissing(database: Database, owner: PhoneOwner, find: (tx: Tx) => Promise<Touched>): Promise<number> {
  return withEvents(database, async (tx, emit) => {
    await lockRecords(tx, owner.userId);
    const connection = await connectionForIntake(tx, owner.teamId, owner.userId, owner.provider);
    if (connection?.status !== 'connected') return 0;
    const built = await buildSummaries(tx, owner, await find(tx), []);
    if (built.length === 0) return 0;
    const ids = built.map(({ id }) => id);
    const known = await findSummaries(tx, owner, ids);
    const missing = built.filter(({ kind, id }) => kind === 'summary' && !known.has(id));
    if (missing.length === 0) return 0;
    const versioned = { ...owner, version: await drawVersion(tx), receivedAt: new Date(0) };
    return (await writePhoneRecords(tx, emit, versioned, connection, missing, false)).summariesCreated;
  });
}
