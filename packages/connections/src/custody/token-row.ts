import type { Executor } from '@pulsewire/database';
import type { TokenSet } from '@pulsewire/providers';
import type { CustodyContext } from '../context/context.ts';
import type { SqlRow } from '../model/sql-row.ts';
import type { ConnectionStatus, ConnectionRow } from '../model/connection.ts';
import { toDate, toDateOrNull } from '../model/rows.ts';
import { tokenContext } from '../model/seal-contexts.ts';
import type { connectionTokens } from '../model/tables.ts';
import { isRetryDue } from './retry-due.ts';

/** Stored tokens of a connection, still encrypted, with the state of their refresh. */
export interface TokenRow {
  readonly connectionId: string;
  readonly teamId: string;
  readonly provider: string;
  readonly status: ConnectionStatus;
  readonly application: 'team' | 'platform';
  readonly accessToken: Buffer;
  readonly refreshToken: Buffer | null;
  /** Redirect address of the consent; null when there was none. */
  readonly redirectUrl: string | null;
  readonly providerUserId: string | null;
  readonly account: Readonly<Record<string, unknown>>;
  readonly issuedAt: Date;
  readonly expiresAt: Date | null;
  /** Incremented with every stored token pair. */
  readonly version: bigint;
  /** Until the next refresh may be attempted; 0: now. Both durations use the database's clock, because those of the processes differ. */
  readonly retryInMs: number;
  /** For how long rejections of these tokens have been unclear; 0: they are not. */
  readonly unclearMs: number;
  readonly failures: number;
  readonly refusals: number;
}

type StoredTokenRow = SqlRow<typeof connectionTokens> &
  Pick<ConnectionRow, 'team_id' | 'provider' | 'status' | 'application' | 'provider_user_id' | 'account'> & {
    readonly retry_in_ms: number;
    readonly unclear_ms: number;
  };

export async function readTokenRow({ sql }: Executor, connectionId: string): Promise<TokenRow | null> {
  const [row] = await sql<StoredTokenRow[]>`
    SELECT c.connection_id, c.team_id, c.provider, c.status, c.application, c.provider_user_id, c.account, t.access_token, t.refresh_token, t.redirect_url, t.issued_at, t.expires_at, t.token_version,
      CASE WHEN ${isRetryDue(sql)} THEN 0 ELSE extract(epoch FROM t.next_refresh_at - clock_timestamp()) * 1000 END::float8 AS retry_in_ms,
      coalesce(extract(epoch FROM clock_timestamp() - t.unclear_since) * 1000, 0)::float8 AS unclear_ms, t.failures, t.refusals
    FROM connection_tokens t JOIN connections c USING (connection_id) WHERE connection_id = ${connectionId}`;
  if (!row) return null;
  return {
    connectionId: row.connection_id,
    teamId: row.team_id,
    provider: row.provider,
    status: row.status,
    application: row.application,
    accessToken: row.access_token,
    refreshToken: row.refresh_token,
    redirectUrl: row.redirect_url,
    providerUserId: row.provider_user_id,
    account: row.account,
    issuedAt: toDate(row.issued_at),
    expiresAt: toDateOrNull(row.expires_at),
    version: BigInt(row.token_version),
    retryInMs: row.retry_in_ms,
    unclearMs: row.unclear_ms,
    failures: row.failures,
    refusals: row.refusals,
  };
}

/** Stores the tokens of a new link, replacing existing ones; the version is incremented. `redirectUrl` as in `TokenRow`. */
export async function putTokens(
  { sql }: Executor,
  context: Pick<CustodyContext, 'cipher' | 'clock'>,
  connectionId: string,
  tokens: TokenSet,
  redirectUrl: string | null = null,
): Promise<void> {
  const now = context.clock.now().toISOString();
  const seal = (token: string | null) => (token === null ? null : context.cipher.seal(token, tokenContext(connectionId)));
  await sql`
    INSERT INTO connection_tokens (connection_id, access_token, refresh_token, redirect_url, issued_at, expires_at, token_version)
    VALUES (${connectionId}, ${seal(tokens.accessToken)}, ${seal(tokens.refreshToken)}, ${redirectUrl}, ${now}, ${tokens.expiresAt?.toISOString() ?? null}, 1)
    ON CONFLICT (connection_id) DO UPDATE SET access_token = excluded.access_token, refresh_token = excluded.refresh_token, redirect_url = excluded.redirect_url,
      issued_at = excluded.issued_at, expires_at = excluded.expires_at, token_version = connection_tokens.token_version + 1, lease_until = NULL, refresh_sent_at = NULL,
      unclear_since = NULL, failures = 0, refusals = 0, next_refresh_at = NULL`;
}
