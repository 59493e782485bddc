import { describe, expect, it } from 'vitest';
import { readLockOrder, watchLocks, type Violation } from '../../support/locks/lock-order.ts';
import { takeViolations } from '../../support/locks/report-violations.ts';
import { locksOf, simplify } from '../../support/locks/statement-locks.ts';
import { useDatabase } from '../../support/database.ts';
import { lockRecords } from '@pulsewire/store';

const database = useDatabase({ connectionsMax: 2 });
const nobody = '00000000-0000-4000-8000-000000000000';

const lockPlan = `SELECT 1 FROM pull_plans WHERE connection_id = $1 FOR UPDATE`;
const lockUser = `select "user_id" from "users" where "users"."user_id" = $1 for update`;

/** What a connection that sends these statements is reported for. */
function violationsOf(statements: readonly string[]): readonly string[] {
  const reported: Violation[] = [];
  const watcher = watchLocks(readLockOrder(), (violation) => reported.push(violation));
  for (const statement of statements) watcher.onStatement(statement, () => null);
  return reported.map(({ held, taken }) => `${held} ${taken}`);
}

describe('the order of locks', () => {
  it('is recorded from what is sent to Postgres, advisory locks included', async () => {
    await database.current.transaction(async (tx) => {
      await tx.sql`SELECT 1 FROM pull_plans WHERE connection_id = ${nobody} FOR UPDATE`;
      await lockRecords(tx, nobody);
    });
    expect(takeViolations()).toMatchObject([{ held: 'pull_plans', taken: 'advisory user' }]);
  });

  it('is violated by a lock that belongs before one that the transaction holds', () => {
    expect(violationsOf(['BEGIN', lockPlan, lockUser, 'COMMIT'])).toEqual(['pull_plans users']);
    expect(violationsOf(['BEGIN', lockUser, lockPlan, lockUser, 'COMMIT'])).toEqual([]);
  });

  it('begins anew with each transaction, and after a savepoint is undone', () => {
    expect(violationsOf(['BEGIN', lockPlan, 'COMMIT', 'BEGIN', lockUser, 'COMMIT'])).toEqual([]);
    expect(violationsOf([lockPlan, lockUser])).toEqual([]);
    expect(violationsOf(['BEGIN', 'SAVEPOINT s0', lockPlan, 'ROLLBACK TO s0', lockUser])).toEqual([]);
    expect(violationsOf(['BEGIN', 'SAVEPOINT s0', lockPlan, 'RELEASE SAVEPOINT s0', lockUser])).toEqual(['pull_plans users']);
  });

  it('ignores the wait for a row that is skipped, and counts the row as locked', () => {
    const skip = 'SELECT 1 FROM push_inbox LIMIT 1 FOR UPDATE SKIP LOCKED';
    expect(violationsOf(['BEGIN', lockUser, skip])).toEqual([]);
    expect(violationsOf(['BEGIN', lockPlan.replace('FOR UPDATE', 'FOR UPDATE SKIP LOCKED'), lockUser])).toEqual(['pull_plans users']);
  });

  it('is followed by an erasure only among rows that users share', () => {
    const erase = `select "team_id" from "users" where ("users"."user_id" = $1 and "users"."deleted_at" <= $2) for update`;
    const deletions = ['delete from "pull_plans" where "user_id" = $1', 'delete from "connections" where "user_id" = $1'];
    expect(violationsOf(['BEGIN', erase, ...deletions])).toEqual([]);
    expect(violationsOf(['BEGIN', erase, 'UPDATE log_shards SET day = day', 'DELETE FROM webhook_pending'])).toEqual([
      'log_shards webhook_pending',
    ]);
  });
});

describe('the locks of a statement', () => {
  const tablesOf = (statement: string) => locksOf(simplify(statement)).map(({ table }) => table);

  it('are those of the tables that it writes, also in its subqueries', () => {
    expect(tablesOf('UPDATE ONLY pull_plans SET x = 1')).toEqual(['pull_plans']);
    expect(
      tablesOf('WITH gone AS (DELETE FROM bulk_operations RETURNING 1), items AS (DELETE FROM bulk_items) SELECT 1 FROM gone'),
    ).toEqual(['bulk_operations', 'bulk_items']);
    expect(tablesOf('LOCK TABLE simulated_providers IN EXCLUSIVE MODE')).toEqual(['simulated_providers']);
    expect(tablesOf("SELECT 'UPDATE users' -- FOR UPDATE")).toEqual([]);
  });

  it('include rows that are in the way of an INSERT only where it handles them', () => {
    expect(tablesOf('INSERT INTO users (user_id) VALUES ($1)')).toEqual([]);
    expect(tablesOf('insert into "users" ("user_id") values ($1) on conflict do nothing')).toEqual(['users']);
    expect(tablesOf('INSERT INTO pull_plans (x) VALUES ($1) ON CONFLICT (x) DO UPDATE SET x = 1')).toEqual(['pull_plans']);
  });

  it('are those of the tables that FOR UPDATE means', () => {
    expect(tablesOf('SELECT 1 FROM users u JOIN teams t USING (team_id) WHERE u.x IN (SELECT y FROM connections) FOR UPDATE')).toEqual([
      'users',
      'teams',
    ]);
    expect(tablesOf('SELECT 1 FROM users u JOIN teams t USING (team_id) FOR NO KEY UPDATE OF t')).toEqual(['teams']);
    expect(tablesOf('UPDATE users SET x = 1 WHERE id = (SELECT id FROM teams WHERE y LIMIT 1 FOR UPDATE)')).toEqual(['users', 'teams']);
  });

  it('tell which parameter names an advisory lock', () => {
    expect(locksOf('SELECT pg_advisory_xact_lock(hashtextextended(lower($1), $2))')).toMatchObject([{ table: 'advisory', parameter: 2 }]);
    expect(locksOf('SELECT pg_advisory_xact_lock(hashtextextended(id::text, $1)) FROM unnest($2::uuid[]) AS u(id)')).toMatchObject([
      { parameter: 1 },
    ]);
  });
});
