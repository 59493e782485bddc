import type { Executor } from '@pulsewire/database';
import type { TokenSet } from '@pulsewire/providers';
import { toDate, toDateOrNull } from '../rows.ts';
import type { CustodyContext } from '../context.ts';
import type { ConnectionStatus } from '../connections/connection.ts';

/** What sealed tokens are bound to: a value cannot be moved to another connection. */
export const tokenContext = (connectionId: string) => `connection:${connectionId}`;

/** Tokens of a connection as they are stored, still sealed, with the state of their refresh. */
export interface TokenRow {
  readonly connectionId: string;
  readonly teamId: string;
  readonly provider: string;
  readonly status: ConnectionStatus;
  readonly application: 'team' | 'platform';
  readonly accessToken: Buffer;
  readonly refreshToken: Buffer | null;
  readonly issuedAt: Date;
  readonly expiresAt: Date | null;
  /** Grows with every stored pair. */
  readonly version: bigint;
  readonly nextRefreshAt: Date | null;
  readonly unclearSince: Date | null;
  readonly failures: number;
  readonly refusals: number;
}

interface StoredTokenRow {
  readonly connection_id: string;
  readonly team_id: string;
  readonly provider: string;
  readonly status: ConnectionStatus;
  readonly application: 'team' | 'platform';
  readonly access_token: Buffer;
  readonly refresh_token: Buffer | null;
  readonly issued_at: string;
  readonly expires_at: string | null;
  readonly token_version: string;
  readonly next_refresh_at: string | null;
  readonly unclear_since: string | null;
  readonly failures: number;
  readonly refusals: number;
}

export async function readTokenRow({ sql }: Executor, connectionId: string): Promise<TokenRow | null> {
  const [row] = await sql<StoredTokenRow[]>`
    SELECT c.connection_id, c.team_id, c.provider, c.status, c.application, t.access_token, t.refresh_token, t.issued_at, t.expires_at, t.token_version,
      t.next_refresh_at, t.unclear_since, t.failures, t.refusals
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
    issuedAt: toDate(row.issued_at),
    expiresAt: toDateOrNull(row.expires_at),
    version: BigInt(row.token_version),
    nextRefreshAt: toDateOrNull(row.next_refresh_at),
    unclearSince: toDateOrNull(row.unclear_since),
    failures: row.failures,
    refusals: row.refusals,
  };
}

/** Stores the pair of a fresh link, whatever was there before; the version goes on growing. */
export async function putTokens(
  { sql }: Executor,
  context: Pick<CustodyContext, 'cipher' | 'clock'>,
  connectionId: string,
  tokens: TokenSet,
): Promise<void> {
  const now = context.clock.now().toISOString();
  const seal = (token: string | null) => token && context.cipher.seal(token, tokenContext(connectionId));
  await sql`
    INSERT INTO connection_tokens (connection_id, access_token, refresh_token, issued_at, expires_at, token_version)
    VALUES (${connectionId}, ${seal(tokens.accessToken)}, ${seal(tokens.refreshToken)}, ${now}, ${tokens.expiresAt?.toISOString() ?? null}, 1)
    ON CONFLICT (connection_id) DO UPDATE SET access_token = excluded.access_token, refresh_token = excluded.refresh_token,
      issued_at = excluded.issued_at, expires_at = excluded.expires_at, token_version = connection_tokens.token_version + 1, lease_until = NULL, refresh_sent_at = NULL,
      unclear_since = NULL, failures = 0, refusals = 0, next_refresh_at = NULL`;
}
