import { addDays, plainArray, textArray, type Tx } from '@pulsewire/database';
import type { PullConnection } from '@pulsewire/connections';
import type { PlanContext } from '../context/context.ts';
import { localDay } from '../model/local-day.ts';
import { pollEveryMs } from '../model/poll-interval.ts';
import { pullsOf } from './pulls-of.ts';

/**
 * Plans connections that were imported together, in the transaction that stores them and with as many statements for a thousand as for
 * one: their live pulls begin within one poll, spread over it; their history waits for `planHistoricalPull`, which a throttle calls.
 */
export async function planImported(context: PlanContext, { sql }: Tx, connections: readonly PullConnection[]): Promise<void> {
  const now = context.clock.now();
  const at = now.toISOString();
  const served = connections.flatMap((connection) => {
    const connector = context.connectorFor(connection.provider);
    return connector ? [{ connection, connector }] : [];
  });
  const cursors = served.flatMap(({ connection, connector }) => {
    // Live pulls start today: earlier days are history.
    const coveredTo = addDays(localDay(connection, now), -1);
    return pullsOf(connector, connection).map((pull) => ({ connectionId: connection.connectionId, pull: pull.name, coveredTo }));
  });
  await sql`
    INSERT INTO pull_plans AS p (connection_id, team_id, user_id, provider, next_pull_at, account_due_at, linked_at, subscription, reads_since, created_at)
    SELECT n.connection_id, n.team_id, n.user_id, n.provider, n.next_pull_at, ${at}::timestamptz, ${at}::timestamptz, n.subscription, (SELECT last_value FROM receipt_versions), ${at}::timestamptz
    FROM unnest(
      ${plainArray(served.map(({ connection }) => connection.connectionId))}::uuid[], ${plainArray(served.map(({ connection }) => connection.teamId))}::uuid[],
      ${plainArray(served.map(({ connection }) => connection.userId))}::uuid[], ${textArray(served.map(({ connection }) => connection.provider))}::text[],
      ${textArray(served.map(({ connector }) => new Date(now.getTime() + context.random() * pollEveryMs(connector)).toISOString()))}::timestamptz[],
      ${textArray(served.map(({ connector }) => (connector.push ? 'wanted' : 'none')))}::text[]
    ) AS n(connection_id, team_id, user_id, provider, next_pull_at, subscription) ORDER BY n.connection_id
    ON CONFLICT (connection_id) DO UPDATE SET stopped_at = NULL, linked_at = excluded.linked_at, next_pull_at = excluded.next_pull_at,
      account_due_at = excluded.account_due_at, subscription = excluded.subscription, subscription_error = NULL, noticed_at = NULL`;
  await sql`
    INSERT INTO pull_cursors (connection_id, pull, covered_to)
    SELECT * FROM unnest(
      ${plainArray(cursors.map(({ connectionId }) => connectionId))}::uuid[], ${textArray(cursors.map(({ pull }) => pull))}::text[],
      ${plainArray(cursors.map(({ coveredTo }) => coveredTo))}::date[])
    ON CONFLICT DO NOTHING`;
}
