import type { ConnectionErrorType } from '@pulsewire/contract';
import { isPhoneStore } from './manual-providers.ts';
import { toDate } from './rows.ts';

export type ConnectionStatus = 'connected' | 'error' | 'paused';

export interface ConnectionError {
  readonly errorType: ConnectionErrorType;
  readonly message: string;
  readonly erroredAt: Date;
}

/** Why a connection is to be marked as failed. */
export interface ConnectionFailure {
  readonly errorType: ConnectionErrorType;
  /** For people; no token, no body. */
  readonly message: string;
  readonly traceId?: string | null;
  /** Only the pair of this version has failed: a connection that holds another one by now is left alone. */
  readonly tokenVersion?: bigint;
}

/** A user at a provider. Tokens stay apart: only custody reads them. */
export interface Connection {
  readonly connectionId: string;
  readonly teamId: string;
  readonly userId: string;
  readonly provider: string;
  /** The user's id at the provider; null where it is not known. */
  readonly providerUserId: string | null;
  /** What the team is told of whose account it is: the provider's id, the user name, or the e-mail address. */
  readonly externalUserId: string | null;
  readonly status: ConnectionStatus;
  /** Whose OAuth application the tokens belong to. */
  readonly application: 'team' | 'platform';
  readonly grantedScopes: readonly string[];
  readonly deniedScopes: readonly string[];
  /** Facts about the account that pulls need: time zone, device kinds. */
  readonly account: Readonly<Record<string, unknown>>;
  /** Made-up data of a sandbox team: there are no tokens, and nothing to pull. */
  readonly isDemo: boolean;
  /** Only while the status is `error`. */
  readonly error: ConnectionError | null;
  readonly createdAt: Date;
}

export interface ConnectionRow {
  readonly connection_id: string;
  readonly team_id: string;
  readonly user_id: string;
  readonly provider: string;
  readonly provider_user_id: string | null;
  readonly external_user_id: string | null;
  readonly demo_due_at: string | null;
  readonly status: ConnectionStatus;
  readonly application: 'team' | 'platform';
  readonly granted_scopes: string[];
  readonly denied_scopes: string[];
  readonly account: Record<string, unknown>;
  readonly error_type: ConnectionErrorType | null;
  readonly error_message: string | null;
  readonly errored_at: string | null;
  readonly created_at: string;
}

export function toConnection(row: ConnectionRow): Connection {
  const { error_type: errorType, error_message: message, errored_at: erroredAt } = row;
  return {
    connectionId: row.connection_id,
    teamId: row.team_id,
    userId: row.user_id,
    provider: row.provider,
    providerUserId: row.provider_user_id,
    externalUserId: isPhoneStore(row.provider) ? null : (row.external_user_id ?? row.provider_user_id),
    isDemo: row.demo_due_at !== null,
    status: row.status,
    application: row.application,
    grantedScopes: row.granted_scopes,
    deniedScopes: row.denied_scopes,
    account: row.account,
    error: row.status === 'error' && errorType && erroredAt ? { errorType, message: message ?? '', erroredAt: toDate(erroredAt) } : null,
    createdAt: toDate(row.created_at),
  };
}
