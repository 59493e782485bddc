import { and, eq } from 'drizzle-orm';
import { run } from '@pulsewire/database';
import type { LabsContext } from '../context/context.ts';
import { notFound } from '../model/errors.ts';
import { labUserInfo } from '../model/order-tables.ts';
import { labSealContext } from '../model/sealed-columns.ts';

type Info = Readonly<Record<string, unknown>>;

/** Replaces a user's demographics. Throws AppErrors `user_not_found` and `user_deleted`. */
export async function putUserInfo(context: LabsContext, teamId: string, userId: string, info: Info): Promise<void> {
  const { database, cipher, clock, owners } = context;
  const details = cipher.seal(JSON.stringify(info), labSealContext('lab_user_info', userId));
  await database.transaction(async (tx) => {
    await owners.lockUser(tx, teamId, userId);
    const row = { userId, teamId, details, updatedAt: clock.now() };
    await run(tx.orm.insert(labUserInfo).values(row).onConflictDoUpdate({ target: labUserInfo.userId, set: row }));
  });
}

/** Throws AppErrors `user_not_found`, `user_deleted` and `user_info_not_found`. */
export async function readUserInfo(context: LabsContext, teamId: string, userId: string): Promise<Info> {
  const { database, cipher, owners } = context;
  await owners.findUser(database, teamId, userId);
  const mine = and(eq(labUserInfo.userId, userId), eq(labUserInfo.teamId, teamId));
  const [row] = await run(database.orm.select().from(labUserInfo).where(mine));
  if (!row) throw notFound('user_info_not_found', 'The user has no demographics');
  return JSON.parse(cipher.open(row.details, labSealContext('lab_user_info', userId))) as Info;
}
