import { and, asc, eq, gt, inArray, isNotNull } from 'drizzle-orm';
import { run, type Database } from '@pulsewire/database';
import { devices, rawEntries } from '../model/tables.ts';

const batchRows = 5000;

type Find = (after: string | undefined) => Promise<readonly string[]>;

// In the order of the key: neither table has an index by team, and each batch would otherwise search from the start.
async function inBatches(find: Find, end: (ids: readonly string[]) => Promise<unknown>): Promise<number> {
  let ended = 0;
  for (let ids = await find(undefined); ids.length > 0; ids = ids.length === batchRows ? await find(ids.at(-1)) : []) {
    await end(ids);
    ended += ids.length;
  }
  return ended;
}

/**
 * Removes the raw forms of a team's summaries and devices, in short transactions. Call it when raw data is disabled for the team, and
 * before it is enabled again: entries from an earlier period do not describe the current summaries. Returns their number.
 */
export async function endRawForms({ orm }: Database, teamId: string): Promise<number> {
  const { summaryId } = rawEntries;
  const { deviceId, raw } = devices;
  const isTeams = eq(rawEntries.teamId, teamId);
  const hasRaw = and(eq(devices.teamId, teamId), isNotNull(raw));
  const entries = await inBatches(
    async (after) => {
      const isNext = after === undefined ? isTeams : and(isTeams, gt(summaryId, after));
      const rows = await run(orm.select({ id: summaryId }).from(rawEntries).where(isNext).orderBy(asc(summaryId)).limit(batchRows));
      return rows.map(({ id }) => id);
    },
    (ids) => run(orm.delete(rawEntries).where(and(isTeams, inArray(summaryId, [...ids])))),
  );
  const ofDevices = await inBatches(
    async (after) => {
      const isNext = after === undefined ? hasRaw : and(hasRaw, gt(deviceId, after));
      const rows = await run(orm.select({ id: deviceId }).from(devices).where(isNext).orderBy(asc(deviceId)).limit(batchRows));
      return rows.map(({ id }) => id);
    },
    (ids) =>
      run(
        orm
          .update(devices)
          .set({ raw: null })
          .where(and(hasRaw, inArray(deviceId, [...ids]))),
      ),
  );
  return entries + ofDevices;
}
