import { eq, sql } from 'drizzle-orm';
import { integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import type { Executor } from '../client.ts';
import { counter, instant } from '../columns.ts';
import type { ClaimOptions } from '../lease/lease-queue.ts';

/** A table of tasks with every column that a lease table can have, for tests of leases. */
export const leaseTasks = pgTable('lease_tasks', {
  taskId: uuid('task_id').notNull(),
  teamId: text('team_id').notNull(),
  dueAt: instant('due_at'),
  leaseUntil: instant('lease_until'),
  leaseEpoch: counter('lease_epoch').notNull(),
  attempts: integer('attempts').notNull(),
  lastError: text('last_error'),
});

const leaseTurns = pgTable('lease_turns', { teamId: text('team_id').notNull(), lastTurnAt: instant('last_turn_at') });

/** Teams take turns, by the table `lease_turns`. */
export const taskRotation: NonNullable<ClaimOptions['rotation']> = {
  table: leaseTurns,
  on: eq(leaseTurns.teamId, leaseTasks.teamId),
  lastTurn: sql`${leaseTurns.lastTurnAt}`,
};

/** Creates the tables of the tasks. */
export async function createLeaseTasks({ sql: query }: Executor): Promise<void> {
  await query`
    CREATE TABLE lease_tasks (task_id uuid PRIMARY KEY, team_id text NOT NULL, due_at timestamptz, lease_until timestamptz,
      lease_epoch bigint NOT NULL DEFAULT 0, attempts integer NOT NULL DEFAULT 0, last_error text)`;
  await query`CREATE TABLE lease_turns (team_id text PRIMARY KEY, last_turn_at timestamptz)`;
}
