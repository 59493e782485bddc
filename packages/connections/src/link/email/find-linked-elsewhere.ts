import type { Executor } from '@pulsewire/database';

/** Another user who has linked or requested the same account. */
export interface LinkedElsewhere {
  readonly teamId: string;
  readonly teamName: string;
  readonly userId: string;
  /** `waits`: a link by e-mail that is not confirmed yet; else the status of the connection. */
  readonly state: string;
}

const shownMax = 20;

export interface PatientReference {
  readonly provider: string;
  /** The requested address. */
  readonly email: string;
  /** The person's id at the provider; null while unknown. */
  readonly providerUserId: string | null;
  /** This user's own connection and request are not included. */
  readonly teamId: string;
  readonly userId: string;
}

/**
 * Other users, of any team, with a connection or a pending request for this person or this address; at most 20. For operators, never for
 * API requests: only this shows that the address may not belong to the user who requested the link.
 */
export async function findLinkedElsewhere({ sql }: Executor, reference: PatientReference): Promise<readonly LinkedElsewhere[]> {
  const { provider, email, providerUserId, teamId, userId } = reference;
  const rows = await sql<{ team_id: string; name: string | null; user_id: string; state: string }[]>`
    SELECT found.team_id, t.name, found.user_id, found.state FROM (
      SELECT team_id, user_id, status AS state FROM connections
      WHERE provider = ${provider} AND (provider_user_id = ${providerUserId} OR lower(external_user_id) = lower(${email}))
      UNION ALL
      SELECT team_id, user_id, 'waits' FROM email_links WHERE provider = ${provider} AND lower(email) = lower(${email})
    ) found LEFT JOIN teams t USING (team_id)
    WHERE (found.team_id, found.user_id) <> (${teamId}::uuid, ${userId}::uuid)
    ORDER BY found.team_id, found.user_id LIMIT ${shownMax}`;
  return rows.map((row) => ({ teamId: row.team_id, teamName: row.name ?? '', userId: row.user_id, state: row.state }));
}
