import type { Executor } from '@pulsewire/database';
import { teamCredentialMissing } from './errors.ts';

/** Throws AppError `team_credential_missing` when the team has no application of its own at the provider. */
export async function assertTeamApplication({ sql }: Executor, teamId: string, provider: string): Promise<void> {
  const [row] = await sql`SELECT 1 FROM team_oauth_credentials WHERE team_id = ${teamId} AND provider = ${provider}`;
  if (!row) throw teamCredentialMissing(provider);
}
