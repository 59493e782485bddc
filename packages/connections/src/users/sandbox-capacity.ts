import { and, count, eq, isNull } from 'drizzle-orm';
import { AppError } from '@pulsewire/kernel';
import { run, type Tx } from '@pulsewire/database';
import { teams, users } from '../model/tables.ts';
import type { Team } from '../teams/team.ts';

/** Keeps a place for one more live user of a sandbox team until the transaction ends. Throws AppError `sandbox_users_exhausted`. */
export async function assertRoom({ orm }: Tx, { teamId, isSandbox }: Team, usersMax: number): Promise<void> {
  if (!isSandbox) return;
  // Locked so that two newcomers at the last free place do not both count 49.
  await run(orm.select({ teamId: teams.teamId }).from(teams).where(eq(teams.teamId, teamId)).for('update'));
  const isLive = and(eq(users.teamId, teamId), isNull(users.deletedAt));
  const [live] = await run(orm.select({ users: count() }).from(users).where(isLive));
  if ((live?.users ?? 0) < usersMax) return;
  throw new AppError({
    code: 'sandbox_users_exhausted',
    kind: 'invalid',
    message: 'A sandbox team cannot hold more users',
    details: { usersMax },
  });
}
