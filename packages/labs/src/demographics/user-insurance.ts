import { randomUUID } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import { run } from '@pulsewire/database';
import type { LabsContext } from '../context/context.ts';
import { notFound } from '../model/errors.ts';
import { labUserInsurance } from '../model/order-tables.ts';
import { labSealContext } from '../model/sealed-columns.ts';

type Insurance = Readonly<Record<string, unknown>>;

/** Replaces a user's primary or secondary insurance. Throws AppErrors `user_not_found` and `user_deleted`. */
export async function putUserInsurance(
  context: LabsContext,
  owner: { readonly teamId: string; readonly userId: string; readonly isPrimary: boolean },
  insurance: Insurance,
): Promise<void> {
  const { database, cipher, clock, owners } = context;
  const { teamId, userId, isPrimary } = owner;
  const details = cipher.seal(JSON.stringify(insurance), labSealContext('lab_user_insurance', userId, isPrimary));
  await database.transaction(async (tx) => {
    await owners.lockUser(tx, teamId, userId);
    const row = { userId, teamId, isPrimary, insuranceId: randomUUID(), details, updatedAt: clock.now() };
    const target = [labUserInsurance.userId, labUserInsurance.isPrimary];
    await run(tx.orm.insert(labUserInsurance).values(row).onConflictDoUpdate({ target, set: row }));
  });
}

/** Throws AppErrors `user_not_found`, `user_deleted` and `insurance_not_found`. */
export async function readUserInsurance(context: LabsContext, teamId: string, userId: string, isPrimary: boolean): Promise<Insurance> {
  const { database, cipher, owners } = context;
  await owners.findUser(database, teamId, userId);
  const mine = and(eq(labUserInsurance.userId, userId), eq(labUserInsurance.teamId, teamId), eq(labUserInsurance.isPrimary, isPrimary));
  const [row] = await run(database.orm.select().from(labUserInsurance).where(mine));
  if (!row) throw notFound('insurance_not_found', 'The user has no such insurance');
  return JSON.parse(cipher.open(row.details, labSealContext('lab_user_insurance', userId, isPrimary))) as Insurance;
}
