import { and, eq, max, min } from 'drizzle-orm';
import { connectionForIntake } from '@pulsewire/connections';
import { run, type Database } from '@pulsewire/database';
import { withEvents } from '@pulsewire/eventlog';
import { nightRecords, splitNights } from '@pulsewire/providers';
import { lockRecords, drawVersion } from '@pulsewire/store';
import { writePhoneRecords } from '../batches/write-phone-records.ts';
import type { PhoneOwner } from '../model/phone-owner.ts';
import { phoneNightSegments } from '../model/tables.ts';
import { nightMarginMs, readSegments } from '../sleep/segments.ts';

const windowMs = 31 * 86_400_000;

/** Whose segments are stored, and when the first and the last one begins. */
async function findWriters({ orm }: Database, { teamId, userId, provider }: PhoneOwner) {
  const of = phoneNightSegments;
  const rows = await run(
    orm
      .select({ sourceType: of.sourceType, appId: of.appId, first: min(of.startAt), last: max(of.startAt) })
      .from(of)
      .where(and(eq(of.teamId, teamId), eq(of.userId, userId), eq(of.provider, provider)))
      .groupBy(of.sourceType, of.appId),
  );
  return rows.map(({ first, last, ...writer }) => ({ ...writer, firstMs: Date.parse(first ?? ''), lastMs: Date.parse(last ?? '') }));
}

/**
 * Builds all nights again from the segments that are stored, a month of a writer per transaction; returns how many have changed. Earlier
 * versions read segments that overlap in another way.
 */
export async function buildPastNights(database: Database, owner: PhoneOwner): Promise<number> {
  let changed = 0;
  for (const { sourceType, appId, firstMs, lastMs } of await findWriters(database, owner))
    for (let fromMs = firstMs; fromMs <= lastMs; fromMs += windowMs)
      changed += await withEvents(database, async (tx, emit) => {
        await lockRecords(tx, owner.userId);
        const connection = await connectionForIntake(tx, owner.teamId, owner.userId, owner.provider);
        if (connection?.status !== 'connected') return 0;
        const untilMs = fromMs + windowMs;
        const place = { sourceType, appId, fromMs: fromMs - nightMarginMs, toMs: untilMs + nightMarginMs };
        const nights = splitNights(await readSegments(tx, owner, place)).filter(
          ([first]) => first && first.startMs >= fromMs && first.startMs < untilMs,
        );
        const records = nights.flatMap((night) => nightRecords(owner, night));
        if (records.length === 0) return 0;
        const versioned = { ...owner, version: await drawVersion(tx), receivedAt: new Date(0) };
        const written = await writePhoneRecords(tx, emit, versioned, connection, records, false);
        return written.summariesCreated + written.summariesUpdated;
      });
  return changed;
}
