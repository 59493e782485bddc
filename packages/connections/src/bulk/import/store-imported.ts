import { randomUUID } from 'node:crypto';
import { byteaArray, plainArray, textArray, type Tx } from '@pulsewire/database';
import type { Emit } from '@pulsewire/eventlog';
import type { Connector } from '@pulsewire/providers';
import type { PullConnection } from '../../connections/find-connections.ts';
import { toConnection, type ConnectionRow } from '../../model/connection.ts';
import { tokenContext, itemContext } from '../../model/seal-contexts.ts';
import type { ImportContext } from '../operations/context.ts';
import { removeReplaced } from './remove-replaced.ts';
import type { AcceptedItem } from './validate-items.ts';

export interface Import {
  readonly operationId: string;
  readonly teamId: string;
  readonly connector: Connector;
  readonly accepted: readonly AcceptedItem[];
}

async function upsertConnections({ sql }: Tx, { teamId, connector, accepted }: Import, at: string): Promise<readonly ConnectionRow[]> {
  const asked = connector.oauth?.scopes ?? [];
  const rows = accepted.map(({ item, user }) => {
    const granted = item.scopes ?? asked;
    return { item, user, granted, denied: asked.filter((scope) => !granted.includes(scope)) };
  });
  // Linked before to the same account, the connection keeps its id, its history and, where the account was known, what is known of it.
  return sql<ConnectionRow[]>`
    INSERT INTO connections AS c (connection_id, team_id, user_id, provider, provider_user_id, status, application, granted_scopes, denied_scopes, account, created_at, updated_at)
    SELECT n.connection_id, ${teamId}::uuid, n.user_id, ${connector.slug}, n.provider_user_id, 'connected', 'team',
      ARRAY(SELECT jsonb_array_elements_text(n.granted::jsonb)), ARRAY(SELECT jsonb_array_elements_text(n.denied::jsonb)), '{}', ${at}::timestamptz, ${at}::timestamptz
    FROM unnest(
      ${plainArray(rows.map(() => randomUUID()))}::uuid[], ${plainArray(rows.map(({ user }) => user.user_id))}::uuid[],
      ${textArray(rows.map(({ item }) => item.provider_user_id))}::text[], ${textArray(rows.map(({ granted }) => JSON.stringify(granted)))}::text[],
      ${textArray(rows.map(({ denied }) => JSON.stringify(denied)))}::text[]
    ) AS n(connection_id, user_id, provider_user_id, granted, denied) ORDER BY n.user_id
    ON CONFLICT (user_id, provider) DO UPDATE SET provider_user_id = excluded.provider_user_id, status = 'connected', application = 'team',
      granted_scopes = excluded.granted_scopes, denied_scopes = excluded.denied_scopes,
      account = CASE WHEN c.provider_user_id = excluded.provider_user_id THEN c.account ELSE '{}' END,
      external_user_id = NULL, error_type = NULL, error_message = NULL, errored_at = NULL, updated_at = excluded.updated_at
    RETURNING *`;
}

interface Pair {
  readonly connectionId: string;
  readonly accessToken: Buffer;
  readonly refreshToken: Buffer | null;
  readonly expiresAt: string | null;
}

async function putPairs({ sql }: Tx, pairs: readonly Pair[], at: string): Promise<void> {
  await sql`
    INSERT INTO connection_tokens AS t (connection_id, access_token, refresh_token, issued_at, expires_at, token_version)
    SELECT n.connection_id, n.access_token, n.refresh_token, ${at}::timestamptz, n.expires_at, 1
    FROM unnest(${plainArray(pairs.map((pair) => pair.connectionId))}::uuid[], ${byteaArray(pairs.map((pair) => pair.accessToken))}::bytea[],
      ${byteaArray(pairs.map((pair) => pair.refreshToken))}::bytea[], ${textArray(pairs.map((pair) => pair.expiresAt))}::timestamptz[]
    ) AS n(connection_id, access_token, refresh_token, expires_at)
    ON CONFLICT (connection_id) DO UPDATE SET access_token = excluded.access_token, refresh_token = excluded.refresh_token,
      redirect_url = NULL, issued_at = excluded.issued_at, expires_at = excluded.expires_at, token_version = t.token_version + 1,
      lease_until = NULL, refresh_sent_at = NULL, unclear_since = NULL, failures = 0, refusals = 0, next_refresh_at = NULL`;
}

/** New connections wait for their turn to be read back in time; those that were here have their history already. */
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

/** Stores what is imported with its tokens, sealed for its connection. Gives the connections as planning wants them. */
export async function storeImported(context: ImportContext, tx: Tx, emit: Emit, work: Import): Promise<readonly PullConnection[]> {
  if (work.accepted.length === 0) return [];
  const { cipher } = context;
  const at = context.clock.now().toISOString();
  await removeReplaced(context, tx, emit, { teamId: work.teamId, provider: work.connector.slug, accepted: work.accepted });
  const known = await tx.sql<{ user_id: string }[]>`
    SELECT user_id FROM connections
    WHERE team_id = ${work.teamId} AND provider = ${work.connector.slug} AND user_id = ANY(${plainArray(work.accepted.map(({ user }) => user.user_id))}::uuid[])`;
  const wasHere = new Set(known.map((row) => row.user_id));
  const rows = await upsertConnections(tx, work, at);
  const byUser = new Map(work.accepted.map((accepted) => [accepted.user.user_id, accepted]));
  const stored = rows.map((row) => ({ connection: toConnection(row), ...(byUser.get(row.user_id) as AcceptedItem) }));
  const pairs = stored.map(({ connection, item }): Pair => {
    const reseal = (sealed: Buffer, column: 'access_token' | 'refresh_token') =>
      cipher.seal(cipher.open(sealed, itemContext(work.operationId, item.item, column)), tokenContext(connection.connectionId));
    return {
      connectionId: connection.connectionId,
      accessToken: reseal(item.access_token, 'access_token'),
      refreshToken: item.refresh_token && reseal(item.refresh_token, 'refresh_token'),
      expiresAt: item.expires_at,
    };
  });
  await putPairs(tx, pairs, at);
  await queueHistory(
    tx,
    work,
    at,
    stored.filter(({ user }) => !wasHere.has(user.user_id)).map(({ connection }) => connection.connectionId),
  );
  return stored.map(({ connection, user }) => ({
    ...connection,
    clientUserId: user.client_user_id,
    fallbackTimeZone: user.fallback_time_zone,
    ingestionStart: user.ingestion_start,
    ingestionEnd: user.ingestion_end,
  }));
}
