import { and, eq } from 'drizzle-orm';
import { run, textArray, type Tx } from '@pulsewire/database';
import type { PhoneWriter } from '@pulsewire/providers';
import type { PhoneOwner } from '../model/phone-owner.ts';
import { phoneWriters } from '../model/tables.ts';

/** Most writers of a user that are read; more would be names that change with every item. */
const writersMax = 1000;

/** The writers that a user's phone has named. */
export async function readWriters({ orm }: Tx, { teamId, userId, provider }: PhoneOwner): Promise<readonly PhoneWriter[]> {
  if (provider !== 'apple_health_kit') return [];
  const isOwn = and(eq(phoneWriters.teamId, teamId), eq(phoneWriters.userId, userId), eq(phoneWriters.provider, provider));
  const { name, appId, sourceType } = phoneWriters;
  return run(
    orm.select({ name, appId, type: sourceType }).from(phoneWriters).where(isOwn).orderBy(name, appId, sourceType).limit(writersMax),
  );
}

const keyOf = ({ name, appId, type }: PhoneWriter) => JSON.stringify([name, appId, type]);

/** Remembers writers that are not known yet. */
export async function saveWriters(
  { sql }: Tx,
  { teamId, userId, provider }: PhoneOwner,
  known: readonly PhoneWriter[],
  named: readonly PhoneWriter[],
): Promise<void> {
  const keys = new Set(known.map(keyOf));
  const added = named.filter((writer) => !keys.has(keyOf(writer))).slice(0, Math.max(0, writersMax - known.length));
  if (added.length === 0) return;
  const texts = (pick: (writer: PhoneWriter) => string) => textArray(added.map(pick));
  await sql`
    INSERT INTO phone_writers (user_id, provider, name, app_id, source_type, team_id)
    SELECT ${userId}::uuid, ${provider}, i.name, i.app_id, i.source_type, ${teamId}::uuid
    FROM unnest(${texts(({ name }) => name)}::text[], ${texts(({ appId }) => appId)}::text[], ${texts(({ type }) => type)}::text[]) AS i(name, app_id, source_type)
    ON CONFLICT DO NOTHING`;
}
