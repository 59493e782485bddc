import { createHash, randomUUID } from 'node:crypto';
import { asc, eq, sql } from 'drizzle-orm';
import { run, type Executor, type Tx } from '@pulsewire/database';
import { dayMs, type Clock } from '@pulsewire/kernel';
import type { LabsContext } from '../context/context.ts';
import { labs } from '../model/catalogue-tables.ts';
import { notFound } from '../model/errors.ts';
import { labHeldNotices } from '../model/order-tables.ts';
import { labSealContext } from '../model/sealed-columns.ts';
import type { LabNotice } from '../partners/partner.ts';

/** Holds a notice for the operator, sealed; a repeated one is held once. */
export async function holdNotice(
  { database: { orm }, cipher, clock }: LabsContext,
  labId: number,
  notice: LabNotice,
  { reason, userIds = [] }: { readonly reason: string; readonly userIds?: readonly string[] },
): Promise<void> {
  const noticeId = randomUUID();
  const text = JSON.stringify(notice);
  const details = cipher.seal(text, labSealContext('lab_held_notices', noticeId));
  const digest = createHash('sha256').update(text).digest('hex');
  const row = { noticeId, labId, reason, digest, candidateUserIds: [...userIds], details, createdAt: clock.now() };
  await run(orm.insert(labHeldNotices).values(row).onConflictDoNothing());
}

export interface HeldNotice {
  readonly noticeId: string;
  readonly labSlug: string;
  readonly reason: string;
  readonly createdAt: Date;
  readonly notice: LabNotice;
}

const instants = new Set(['at', 'collectedAt']);
const opened = (text: string) =>
  JSON.parse(text, (key, value: unknown) => (instants.has(key) && typeof value === 'string' ? new Date(value) : value)) as LabNotice;

/** Notices that await the operator, oldest first; with `noticeId` only that one. */
export async function listHeldNotices(
  { database: { orm }, cipher }: Pick<LabsContext, 'database' | 'cipher'>,
  { noticeId, limit }: { readonly noticeId?: string; readonly limit: number },
): Promise<readonly HeldNotice[]> {
  const rows = await run(
    orm
      .select({ held: labHeldNotices, labSlug: labs.slug })
      .from(labHeldNotices)
      .innerJoin(labs, eq(labs.labId, labHeldNotices.labId))
      .where(noticeId === undefined ? undefined : eq(labHeldNotices.noticeId, noticeId))
      .orderBy(asc(labHeldNotices.createdAt), asc(labHeldNotices.noticeId))
      .limit(limit),
  );
  return rows.map(({ held, labSlug }) => ({
    noticeId: held.noticeId,
    labSlug,
    reason: held.reason,
    createdAt: held.createdAt,
    notice: opened(cipher.open(held.details, labSealContext('lab_held_notices', held.noticeId))),
  }));
}

/** Throws AppError `held_notice_not_found`. */
export async function getHeldNotice(context: Pick<LabsContext, 'database' | 'cipher'>, noticeId: string): Promise<HeldNotice> {
  const [found] = await listHeldNotices(context, { noticeId, limit: 1 });
  if (!found) throw notFound('held_notice_not_found', 'There is no held notice with this id');
  return found;
}

export async function dropHeldNotice({ database: { orm } }: Pick<LabsContext, 'database'>, noticeId: string): Promise<void> {
  await run(orm.delete(labHeldNotices).where(eq(labHeldNotices.noticeId, noticeId)));
}

/** How long an operator has to decide. */
const keptDays = 180;

/**
 * Deletes notices that nobody has decided on for half a year, because they hold what a patient's laboratory found and perhaps belong to nobody
 * here; returns their number.
 */
export async function expireHeldNotices({ sql: query }: Executor, clock: Clock): Promise<number> {
  const until = new Date(clock.now().getTime() - keptDays * dayMs).toISOString();
  return (await query`DELETE FROM lab_held_notices WHERE created_at < ${until}`).count;
}

/** Erases notices that may belong to a user. */
export async function eraseHeldNotices({ orm }: Tx, userId: string): Promise<void> {
  await run(orm.delete(labHeldNotices).where(sql`${labHeldNotices.candidateUserIds} @> ARRAY[${userId}]::uuid[]`));
}
