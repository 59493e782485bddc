import { textArray, type Executor } from '@pulsewire/database';

/** Forgets the push subscriptions of a team's own applications, when the team goes. */
export async function forgetTeamSubscriptions({ sql }: Executor, teamId: string): Promise<void> {
  await sql`DELETE FROM app_subscriptions WHERE owner = ${teamId}`;
}

/** Forgets the applications' push subscriptions at these providers without asking them: for providers that were only simulated. */
export async function forgetAppSubscriptions({ sql }: Executor, providers: readonly string[]): Promise<void> {
  await sql`DELETE FROM app_subscriptions WHERE provider = ANY(${textArray(providers)}::text[])`;
}
