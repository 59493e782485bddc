import { and, asc, eq, gt, inArray, sql } from 'drizzle-orm';
import { plainArray, run, type Executor } from '@pulsewire/database';
import { connections, connectionTokens } from '../model/tables.ts';
import { tokenContext } from '../model/seal-contexts.ts';
import type { Recipe } from './import/upload.ts';
import type { BulkContext } from './operations/context.ts';
import { assertTeamApplication } from './operations/team-application.ts';

export interface ExportOptions {
  readonly teamId: string;
  readonly provider: string;
  /** Null: all connected users. */
  readonly userIds: readonly string[] | null;
  /** The last user of the previous page. */
  readonly after: string | null;
  readonly limit: number;
}

function readRows({ orm }: Executor, { teamId, provider, userIds, after, limit }: ExportOptions) {
  const { connectionId, userId, providerUserId, grantedScopes, status } = connections;
  const { accessToken, refreshToken, expiresAt } = connectionTokens;
  const isExported = and(
    eq(connections.teamId, teamId),
    eq(connections.provider, provider),
    eq(connections.application, 'team'),
    inArray(status, ['connected', 'paused']),
    after === null ? undefined : gt(userId, after),
    // The same text whatever the number of users, so that the plan is cached.
    userIds === null ? undefined : sql`${userId} = ANY(${plainArray(userIds)}::uuid[])`,
  );
  return run(
    orm
      .select({ connectionId, userId, providerUserId, grantedScopes, accessToken, refreshToken, expiresAt })
      .from(connections)
      .innerJoin(connectionTokens, eq(connectionTokens.connectionId, connectionId))
      .where(isExported)
      .orderBy(asc(userId))
      .limit(limit),
  );
}

/**
 * One page of recipes by user, with plain-text tokens. Only connections of the team's own application: another system could not use the
 * others. Throws AppError `team_credential_missing`.
 */
export async function exportConnections(context: BulkContext, options: ExportOptions): Promise<readonly Recipe[]> {
  await assertTeamApplication(context.database, options.teamId, options.provider);
  const rows = await readRows(context.database, options);
  return rows.map((row) => {
    const open = (sealed: Buffer) => context.cipher.open(sealed, tokenContext(row.connectionId));
    return {
      userId: row.userId,
      accessToken: open(row.accessToken),
      refreshToken: row.refreshToken && open(row.refreshToken),
      providerUserId: row.providerUserId ?? '',
      expiresAt: row.expiresAt,
      scopes: row.grantedScopes,
    };
  });
}
