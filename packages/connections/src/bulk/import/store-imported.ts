import { byteaArray, plainArray, textArray, type Tx } from '@pulsewire/database';
import type { Emit } from '@pulsewire/eventlog';
import type { Connector } from '@pulsewire/providers';
import { removeReplaced } from './replaced.ts';
import type { AcceptedItem } from './validate-items.ts';
import type { ImportContext } from '../operations/context.ts';
import { linkImported } from '../../connection-status/link.ts';
import type { PullConnection } from '../../connections/find-connections.ts';
import { toConnection } from '../../model/connection.ts';
import { tokenContext, itemContext } from '../../model/seal-contexts.ts';

export interface Import {
  readonly operationId: string;
  readonly teamId: string;
  readonly connector: Connector;
  readonly accepted: readonly AcceptedItem[];
}

interface StoredTokens {
  readonly connectionId: string;
  readonly accessToken: Buffer;
  readonly refreshToken: Buffer | null;
  readonly expiresAt: string | null;
  /** When a refresh whose outcome is unknown was sent: the provider may have rotated the tokens already. */
  readonly refreshSentAt: string | null;
}

async function putTokens({ sql }: Tx, tokens: readonly StoredTokens[], at: string): Promise<void> {
  await sql`
    INSERT INTO connection_tokens AS t (connection_id, access_token, refresh_token, issued_at, expires_at, token_version, refresh_sent_at)
    SELECT n.connection_id, n.access_token, n.refresh_token, ${at}::timestamptz, n.expires_at, 1, n.refresh_sent_at
    FROM unnest(${plainArray(tokens.map((token) => token.connectionId))}::uuid[], ${byteaArray(tokens.map((token) => token.accessToken))}::bytea[],
      ${byteaArray(tokens.map((token) => token.refreshToken))}::bytea[], ${textArray(tokens.map((token) => token.expiresAt))}::timestamptz[],
      ${textArray(tokens.map((token) => token.refreshSentAt))}::timestamptz[]
    ) AS n(connection_id, access_token, refresh_token, expires_at, refresh_sent_at)
    ON CONFLICT (connection_id) DO UPDATE SET access_token = excluded.access_token, refresh_token = excluded.refresh_token,
      redirect_url = NULL, issued_at = excluded.issued_at, expires_at = excluded.expires_at, token_version = t.token_version + 1,
      lease_until = NULL, refresh_sent_at = excluded.refresh_sent_at, unclear_since = NULL, failures = 0, refusals = 0, next_refresh_at = NULL`;
}

/** Queues the history of new connections; existing ones have theirs already. */
async function queueHistory(
  { sql }: Tx,
  { operationId, teamId, connector }: Import,
  at: string,
  connectionIds: readonly string[],
): Promise<void> {
  await sql`
    INSERT INTO bulk_turns (team_id, provider, connection_id, operation_id, queued_at)
    SELECT ${teamId}::uuid, ${connector.slug}, connection_id, ${operationId}::uuid, ${at}::timestamptz
    FROM unnest(${plainArray(connectionIds)}::uuid[]) AS n(connection_id)`;
}

/** Stores the accepted recipes with tokens encrypted for their connections. Returns the connections to plan. */
export async function storeImported(context: ImportContext, tx: Tx, emit: Emit, work: Import): Promise<readonly PullConnection[]> {
  if (work.accepted.length === 0) return [];
  const { cipher } = context;
  const now = context.clock.now();
  const at = now.toISOString();
  await removeReplaced(context, tx, emit, { teamId: work.teamId, provider: work.connector.slug, accepted: work.accepted });
  const existing = await tx.sql<{ user_id: string }[]>`
    SELECT user_id FROM connections
    WHERE team_id = ${work.teamId} AND provider = ${work.connector.slug} AND user_id = ANY(${plainArray(work.accepted.map(({ user }) => user.user_id))}::uuid[])`;
  const existed = new Set(existing.map((row) => row.user_id));
  const requested = work.connector.oauth?.scopes ?? [];
  const imported = work.accepted.map(({ item, user }) => {
    const granted = item.scopes ?? requested;
    return {
      userId: user.user_id,
      providerUserId: item.provider_user_id,
      granted,
      denied: requested.filter((scope) => !granted.includes(scope)),
    };
  });
  const rows = await linkImported(tx, { teamId: work.teamId, provider: work.connector.slug, imported }, now);
  const byUser = new Map(work.accepted.map((accepted) => [accepted.user.user_id, accepted]));
  const stored = rows.map((row) => ({ connection: toConnection(row), ...(byUser.get(row.user_id) as AcceptedItem) }));
  const tokens = stored.map(({ connection, item }): StoredTokens => {
    const reseal = (sealed: Buffer, column: 'access_token' | 'refresh_token') =>
      cipher.seal(cipher.open(sealed, itemContext(work.operationId, item.item, column)), tokenContext(connection.connectionId));
    return {
      connectionId: connection.connectionId,
      accessToken: reseal(item.access_token, 'access_token'),
      refreshToken: item.refresh_token && reseal(item.refresh_token, 'refresh_token'),
      expiresAt: item.expires_at,
      refreshSentAt: item.check_outcome === 'refreshed' ? null : item.check_sent_at,
    };
  });
  await putTokens(tx, tokens, at);
  await queueHistory(
    tx,
    work,
    at,
    stored.filter(({ user }) => !existed.has(user.user_id)).map(({ connection }) => connection.connectionId),
  );
  return stored.map(({ connection, user }) => ({
    ...connection,
    clientUserId: user.client_user_id,
    fallbackTimeZone: user.fallback_time_zone,
    fallbackBirthDate: user.fallback_birth_date,
    ingestionStart: user.ingestion_start,
    ingestionEnd: user.ingestion_end,
    // Planning does not need it; every run loads the connection again.
    keepsRaw: false,
  }));
}
