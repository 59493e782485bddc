import { randomUUID } from 'node:crypto';
import { plainArray, textArray, type Tx } from '@pulsewire/database';
import type { ConnectionRow } from '../model/connection.ts';

/** What linking stores of a connection. */
export interface LinkedConnection {
  readonly teamId: string;
  readonly userId: string;
  readonly provider: string;
  readonly providerUserId: string | null;
  readonly externalUserId: string | null;
  readonly application: 'team' | 'platform';
  readonly grantedScopes: readonly string[];
  readonly deniedScopes: readonly string[];
  readonly account: Readonly<Record<string, unknown>>;
  /** Generated data of a sandbox team. */
  readonly isDemo?: boolean;
}

/**
 * Stores a user's connection to a provider as connected. One that exists keeps its id and its history, and to the same account also what is
 * known of the account. The caller holds the lock of the user.
 */
export async function linkConnection({ sql }: Tx, connection: LinkedConnection, now: Date): Promise<ConnectionRow> {
  const at = now.toISOString();
  const [row] = await sql<ConnectionRow[]>`
    INSERT INTO connections (connection_id, team_id, user_id, provider, provider_user_id, external_user_id, status, application,
      granted_scopes, denied_scopes, account, demo_due_at, created_at, updated_at)
    VALUES (${randomUUID()}, ${connection.teamId}, ${connection.userId}, ${connection.provider}, ${connection.providerUserId}, ${connection.externalUserId},
      'connected', ${connection.application}, ${[...connection.grantedScopes]}::text[], ${[...connection.deniedScopes]}::text[],
      ${JSON.stringify(connection.account)}::jsonb, ${connection.isDemo === true ? at : null}, ${at}, ${at})
    ON CONFLICT (user_id, provider) DO UPDATE SET provider_user_id = excluded.provider_user_id, external_user_id = excluded.external_user_id,
      status = 'connected', application = excluded.application,
      granted_scopes = excluded.granted_scopes, denied_scopes = excluded.denied_scopes,
      account = CASE WHEN connections.provider_user_id = excluded.provider_user_id THEN connections.account || excluded.account ELSE excluded.account END,
      error_type = NULL, error_message = NULL, errored_at = NULL, updated_at = excluded.updated_at
    RETURNING *`;
  return row as ConnectionRow;
}

/** A connection of an import. */
export interface ImportedConnection {
  readonly userId: string;
  readonly providerUserId: string | null;
  readonly granted: readonly string[];
  readonly denied: readonly string[];
}

/** `linkConnection` for the connections of an import, all of one provider and with the team's own application, in one statement. */
export async function linkImported(
  { sql }: Tx,
  { teamId, provider, imported }: { readonly teamId: string; readonly provider: string; readonly imported: readonly ImportedConnection[] },
  now: Date,
): Promise<readonly ConnectionRow[]> {
  const at = now.toISOString();
  return sql<ConnectionRow[]>`
    INSERT INTO connections AS c (connection_id, team_id, user_id, provider, provider_user_id, status, application, granted_scopes, denied_scopes, account, created_at, updated_at)
    SELECT n.connection_id, ${teamId}::uuid, n.user_id, ${provider}, n.provider_user_id, 'connected', 'team',
      ARRAY(SELECT jsonb_array_elements_text(n.granted::jsonb)), ARRAY(SELECT jsonb_array_elements_text(n.denied::jsonb)), '{}', ${at}::timestamptz, ${at}::timestamptz
    FROM unnest(
      ${plainArray(imported.map(() => randomUUID()))}::uuid[], ${plainArray(imported.map(({ userId }) => userId))}::uuid[],
      ${textArray(imported.map(({ providerUserId }) => providerUserId))}::text[], ${textArray(imported.map(({ granted }) => JSON.stringify(granted)))}::text[],
      ${textArray(imported.map(({ denied }) => JSON.stringify(denied)))}::text[]
    ) AS n(connection_id, user_id, provider_user_id, granted, denied) ORDER BY n.user_id
    ON CONFLICT (user_id, provider) DO UPDATE SET provider_user_id = excluded.provider_user_id, status = 'connected', application = 'team',
      granted_scopes = excluded.granted_scopes, denied_scopes = excluded.denied_scopes,
      account = CASE WHEN c.provider_user_id = excluded.provider_user_id THEN c.account ELSE '{}' END,
      external_user_id = NULL, error_type = NULL, error_message = NULL, errored_at = NULL, updated_at = excluded.updated_at
    RETURNING *`;
}
