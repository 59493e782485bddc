import { eq, inArray } from 'drizzle-orm';
import { run, type Executor } from '@pulsewire/database';
import { appSubscriptions } from '../../model/tables.ts';

/** Deletes the push subscriptions of a team's own applications, when the team is deleted. */
export async function forgetTeamSubscriptions({ orm }: Executor, teamId: string): Promise<void> {
  await run(orm.delete(appSubscriptions).where(eq(appSubscriptions.owner, teamId)));
}

/** Deletes the applications' push subscriptions at these providers without calling them: for simulated providers. */
export async function forgetAppSubscriptions({ orm }: Executor, providers: readonly string[]): Promise<void> {
  await run(orm.delete(appSubscriptions).where(inArray(appSubscriptions.provider, [...providers])));
}
