import { run, type Tx } from '@pulsewire/database';
import { AppError } from '@pulsewire/kernel';
import { and, count, eq, isNull } from 'drizzle-orm';
import { teams, users } from '../model/tables.ts';
import type { Team } from '../teams/team.ts';

/** Makes sure, until the transaction ends, that a sandbox team may have one more live user. Throws AppError `sandbox_users_exhausted`. */
export async function assertSandboxCapacity({ orm }: Tx, { teamId, isSandbox }: Team, usersMax: number): Promise<void> {
  if (!isSandbox) return;
  // Locked, so that two concurrent requests do not both take the last place.
  await run(orm.select({ teamId: teams.teamId }).from(teams).where(eq(teams.teamId, teamId)).for('update'));
  const isLive = and(eq(users.teamId, teamId), isNull(users.deletedAt));
  const [live] = await run(orm.select({ users: count() }).from(users).where(isLive));
  if ((live?.users ?? 0) < usersMax) return;
  throw new AppError({
    code: 'sandbox_users_exhausted',
    kind: 'invalid',
    message: `This sandbox team has reached its limit of ${usersMax} users (setting SANDBOX_USERS_MAX). Delete users, or have the operator raise it`,
    details: { usersMax },
  });
}
