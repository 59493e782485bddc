import type { ConnectionErrorType } from '@pulsewire/contract';
import type { SqlRow } from './sql-row.ts';
import { isPhoneStore } from './manual-providers.ts';
import { toDate, toDateOrNull } from './rows.ts';
import type { connections } from './tables.ts';

/**
 * `connected`: its data is pulled. `error`: it stopped for a reason that only the user can remove, by linking again. `paused`: the team
 * paused it, or the user's ingestion ended. Only `connection-status/` changes it.
 */
export type ConnectionStatus = (typeof connections.$inferSelect)['status'];

export interface ConnectionError {
  readonly errorType: ConnectionErrorType;
  readonly message: string;
  readonly erroredAt: Date;
}

/** Why a connection is to be marked as failed. */
export interface ConnectionFailure {
  readonly errorType: ConnectionErrorType;
  /** For people: contains no token and no response body. */
  readonly message: string;
  readonly traceId?: string | null;
  /** The token version that failed: a connection with newer tokens is left alone. */
  readonly tokenVersion?: bigint;
}

/** A user's account at a provider. Tokens are stored separately: only custody reads them. */
export interface Connection {
  readonly connectionId: string;
  readonly teamId: string;
  readonly userId: string;
  readonly provider: string;
  /** The user's id at the provider; null when unknown. */
  readonly providerUserId: string | null;
  /** How the team recognises the account: the provider's id, the user name, or the e-mail address. */
  readonly externalUserId: string | null;
  readonly status: ConnectionStatus;
  /** Whose OAuth application the tokens belong to. */
  readonly application: 'team' | 'platform';
  readonly grantedScopes: readonly string[];
  readonly deniedScopes: readonly string[];
  /** Facts about the account that pulls need: time zone, device kinds. */
  readonly account: Readonly<Record<string, unknown>>;
  /** Generated data of a sandbox team: no tokens and no pulls. */
  readonly isDemo: boolean;
  /** Only while the status is `error`. */
  readonly error: ConnectionError | null;
  readonly createdAt: Date;
}

/** A row of `connections` from hand-written SQL. */
export type ConnectionRow = SqlRow<typeof connections>;

type StoredConnection = Omit<typeof connections.$inferSelect, 'updatedAt' | 'demoFilledTo' | 'demoDueAt'> & { readonly demoDueAt: unknown };

/** The connection of a row that drizzle read. */
export function fromStored(row: StoredConnection): Connection {
  const { errorType, errorMessage, erroredAt, externalUserId, demoDueAt } = row;
  return {
    connectionId: row.connectionId,
    teamId: row.teamId,
    userId: row.userId,
    provider: row.provider,
    providerUserId: row.providerUserId,
    status: row.status,
    application: row.application,
    grantedScopes: row.grantedScopes,
    deniedScopes: row.deniedScopes,
    account: row.account,
    createdAt: row.createdAt,
    externalUserId: isPhoneStore(row.provider) ? null : (externalUserId ?? row.providerUserId),
    isDemo: demoDueAt !== null,
    error: row.status === 'error' && errorType && erroredAt ? { errorType, message: errorMessage ?? '', erroredAt } : null,
  };
}

/** The connection of a row from hand-written SQL. */
export function toConnection(row: ConnectionRow): Connection {
  return fromStored({
    connectionId: row.connection_id,
    teamId: row.team_id,
    userId: row.user_id,
    provider: row.provider,
    providerUserId: row.provider_user_id,
    externalUserId: row.external_user_id,
    demoDueAt: row.demo_due_at,
    status: row.status,
    application: row.application,
    grantedScopes: row.granted_scopes,
    deniedScopes: row.denied_scopes,
    account: row.account,
    errorType: row.error_type,
    errorMessage: row.error_message,
    erroredAt: toDateOrNull(row.errored_at),
    createdAt: toDate(row.created_at),
  });
}
