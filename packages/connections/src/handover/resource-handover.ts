import { and, eq } from 'drizzle-orm';
import { run, type Executor, type Tx, plainArray } from '@pulsewire/database';
import type { Connection, ConnectionStatus } from '../model/connection.ts';
import { resourceHandovers } from '../model/tables.ts';
import type { ResourceDays } from './days.ts';

/** One of the two connections of a handover, if it exists. */
export interface HandoverSide {
  readonly provider: string;
  readonly connectionId: string | null;
  readonly status: ConnectionStatus | null;
}

/** How the days of each resource are divided between a connection and another of the same person. */
export interface ResourceHandover {
  readonly isSuccessor: boolean;
  readonly ending: HandoverSide & { readonly account: string };
  readonly successor: HandoverSide & {
    readonly account: string;
    readonly facts: Readonly<Record<string, unknown>>;
    readonly grantedScopes: readonly string[];
  };
  readonly days: ResourceDays;
  readonly again: ResourcesAgain;
}

/**
 * Resources whose history each side must be read for once more: pages of it were left out while it was not known what the other one has,
 * because the history of that one was still being read.
 */
export interface ResourcesAgain {
  readonly ending: readonly string[];
  readonly successor: readonly string[];
}

interface HandoverRow {
  readonly from_provider: string;
  readonly from_account: string;
  readonly to_provider: string;
  readonly to_account: string;
  readonly days: ResourceDays;
  readonly ending_id: string | null;
  readonly ending_status: ConnectionStatus | null;
  readonly successor_id: string | null;
  readonly successor_status: ConnectionStatus | null;
  readonly facts: Readonly<Record<string, unknown>> | null;
  readonly granted_scopes: readonly string[] | null;
  readonly ending_again: readonly string[];
  readonly successor_again: readonly string[];
}

type Side = Pick<Connection, 'teamId' | 'userId' | 'provider' | 'providerUserId'>;

/**
 * The handover of a connection's resources; null: it shares no days. `isLocked`: nobody else changes it until the transaction ends;
 * it is locked after windows (packages/database/LOCKS.md).
 */
export async function readResourceHandover({ sql }: Tx, side: Side, isLocked: boolean): Promise<ResourceHandover | null> {
  const { teamId, userId, provider, providerUserId } = side;
  if (providerUserId === null) return null;
  const [row] = await sql<HandoverRow[]>`
    SELECT h.from_provider, h.from_account, h.to_provider, h.to_account, h.days, e.connection_id AS ending_id, e.status AS ending_status,
      s.connection_id AS successor_id, s.status AS successor_status, s.account AS facts, s.granted_scopes, h.ending_again, h.successor_again
    FROM resource_handovers h
    LEFT JOIN connections e ON e.user_id = h.user_id AND e.team_id = h.team_id AND e.provider = h.from_provider
      AND e.provider_user_id = h.from_account
    LEFT JOIN connections s ON s.user_id = h.user_id AND s.team_id = h.team_id AND s.provider = h.to_provider
      AND s.provider_user_id = h.to_account
    WHERE h.user_id = ${userId} AND h.team_id = ${teamId}
      AND (h.from_provider, h.from_account) = (${provider}, ${providerUserId})
        OR h.user_id = ${userId} AND h.team_id = ${teamId} AND (h.to_provider, h.to_account) = (${provider}, ${providerUserId})
    ${isLocked ? sql`FOR UPDATE OF h` : sql``}`;
  if (!row) return null;
  return {
    isSuccessor: row.to_provider === provider,
    ending: { provider: row.from_provider, account: row.from_account, connectionId: row.ending_id, status: row.ending_status },
    successor: {
      provider: row.to_provider,
      account: row.to_account,
      connectionId: row.successor_id,
      status: row.successor_status,
      facts: row.facts ?? {},
      grantedScopes: row.granted_scopes ?? [],
    },
    days: row.days,
    again: { ending: row.ending_again, successor: row.successor_again },
  };
}

/** Replaces the days of a handover. The caller has locked it. */
export async function saveResourceHandover(
  { orm }: Tx,
  { teamId, userId }: Pick<Side, 'teamId' | 'userId'>,
  { ending, days, again }: Pick<ResourceHandover, 'ending' | 'days' | 'again'>,
): Promise<void> {
  const where = and(
    eq(resourceHandovers.userId, userId),
    eq(resourceHandovers.teamId, teamId),
    eq(resourceHandovers.fromProvider, ending.provider),
    eq(resourceHandovers.fromAccount, ending.account),
  );
  const values = { days, endingAgain: [...again.ending], successorAgain: [...again.successor] };
  await run(orm.update(resourceHandovers).set(values).where(where));
}

/** Those of these users of whom two connections share resources. */
export async function usersSharingResources({ sql }: Executor, userIds: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await sql<{ user_id: string }[]>`
    SELECT DISTINCT user_id FROM resource_handovers WHERE user_id = ANY(${plainArray(userIds)}::uuid[])`;
  return new Set(rows.map((row) => row.user_id));
}
