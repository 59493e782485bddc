import { plainArray, type Executor } from '@pulsewire/database';
import { toDateOrNull } from '../model/rows.ts';
import { tokenContext } from '../model/seal-contexts.ts';
import type { Recipe } from './import/upload.ts';
import type { BulkContext } from './operations/context.ts';
import { assertTeamApplication } from './operations/team-application.ts';

interface ExportRow {
  readonly connection_id: string;
  readonly user_id: string;
  readonly provider_user_id: string | null;
  readonly granted_scopes: string[];
  readonly access_token: Buffer;
  readonly refresh_token: Buffer | null;
  readonly expires_at: string | null;
}

export interface ExportOptions {
  readonly teamId: string;
  readonly provider: string;
  /** Null: all connected users. */
  readonly userIds: readonly string[] | null;
  /** The last user of the previous page. */
  readonly after: string | null;
  readonly limit: number;
}

async function readRows({ sql }: Executor, { teamId, provider, userIds, after, limit }: ExportOptions): Promise<readonly ExportRow[]> {
  const isAfter = after === null ? sql`` : sql`AND c.user_id > ${after}`;
  const isListed = userIds === null ? sql`` : sql`AND c.user_id = ANY(${plainArray(userIds)}::uuid[])`;
  return sql<ExportRow[]>`
    SELECT c.connection_id, c.user_id, c.provider_user_id, c.granted_scopes, t.access_token, t.refresh_token, t.expires_at
    FROM connections c JOIN connection_tokens t USING (connection_id)
    WHERE c.team_id = ${teamId} AND c.provider = ${provider} AND c.application = 'team' AND c.status IN ('connected', 'paused') ${isAfter} ${isListed}
    ORDER BY c.user_id LIMIT ${limit}`;
}

/**
 * One page of recipes by user, with plain-text tokens. Only connections of the team's own application: another system could not use the
 * others. Throws AppError `team_credential_missing`.
 */
export async function exportConnections(context: BulkContext, options: ExportOptions): Promise<readonly Recipe[]> {
  await assertTeamApplication(context.database, options.teamId, options.provider);
  const rows = await readRows(context.database, options);
  return rows.map((row) => {
    const open = (sealed: Buffer) => context.cipher.open(sealed, tokenContext(row.connection_id));
    return {
      userId: row.user_id,
      accessToken: open(row.access_token),
      refreshToken: row.refresh_token && open(row.refresh_token),
      providerUserId: row.provider_user_id ?? '',
      expiresAt: toDateOrNull(row.expires_at),
      scopes: row.granted_scopes,
    };
  });
}
