import { and, eq } from 'drizzle-orm';
import { run, type Executor } from '@pulsewire/database';
import { teamOAuthCredentials as credentials } from '../../model/tables.ts';
import { teamCredentialMissing } from './errors.ts';

/** Throws AppError `team_credential_missing` when the team has no application of its own at the provider. */
export async function assertTeamApplication({ orm }: Executor, teamId: string, provider: string): Promise<void> {
  const isOwn = and(eq(credentials.teamId, teamId), eq(credentials.provider, provider));
  const [row] = await run(orm.select({ teamId: credentials.teamId }).from(credentials).where(isOwn));
  if (!row) throw teamCredentialMissing(provider);
}
