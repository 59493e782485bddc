import { and, asc, eq, gt, isNull } from 'drizzle-orm';
import { run, type Executor } from '@pulsewire/database';
import { users } from '../model/tables.ts';

/** Ids of live users of the team in ascending order, after `after`, at most `limit`; only `userId` when it is given. */
export async function listUserIds(
  { orm }: Executor,
  teamId: string,
  { after, limit, userId }: { readonly after: string | null; readonly limit: number; readonly userId: string | null },
): Promise<readonly string[]> {
  const rows = await run(
    orm
      .select({ userId: users.userId })
      .from(users)
      .where(
        and(
          eq(users.teamId, teamId),
          isNull(users.deletedAt),
          after === null ? undefined : gt(users.userId, after),
          userId === null ? undefined : eq(users.userId, userId),
        ),
      )
      .orderBy(asc(users.userId))
      .limit(limit),
  );
  return rows.map((row) => row.userId);
}
