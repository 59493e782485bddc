import { and, eq, inArray } from 'drizzle-orm';
import { run, type Executor } from '@pulsewire/database';
import { webhookHiddenUsers } from '../model/tables.ts';

/** Which of these users were deleted and wait for their erasure: nothing about them is listed. */
export async function findHiddenUsers({ orm }: Executor, userIds: Iterable<string | null>): Promise<ReadonlySet<string>> {
  const ids = [...new Set(userIds)].filter((userId) => userId !== null);
  if (ids.length === 0) return new Set();
  const { userId, isHidden } = webhookHiddenUsers;
  const rows = await run(
    orm
      .select({ userId })
      .from(webhookHiddenUsers)
      .where(and(inArray(userId, ids), eq(isHidden, true))),
  );
  return new Set(rows.map((row) => row.userId));
}

/** These events without those about deleted users. */
export async function withoutHidden<T extends { readonly userId: string | null }>(
  executor: Executor,
  events: readonly T[],
): Promise<readonly T[]> {
  const hidden = await findHiddenUsers(
    executor,
    events.map(({ userId }) => userId),
  );
  return hidden.size === 0 ? events : events.filter(({ userId }) => userId === null || !hidden.has(userId));
}
