import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { authenticateKey, createApiKey, createTeam, createUser, type Team } from '@pulsewire/connections';
import type { SchedulerService } from '@pulsewire/service-scheduler';
import { runAdmin } from '../../../services/standalone/src/admin/run-admin.ts';
import { startCommitCutter } from '../../support/commit-cutter.ts';
import { useDatabase } from '../../support/database.ts';
import { composeScheduler } from './support/scheduler-harness.ts';
import { createHarness, type Harness } from './support/harness.ts';

const database = useDatabase({ connectionsMax: 20 });
const dayMs = 86_400_000;
let harness: Harness;
let scheduler: SchedulerService;
beforeAll(async () => {
  harness = await createHarness(database.current);
  scheduler = await composeScheduler(database.url, harness);
});
afterAll(async () => {
  await scheduler.close();
  await harness.close();
});

const admin = (...words: string[]) => runAdmin(words, { database: database.current, clock: harness.clock, print: () => {} } as never);

async function newTeam(users: number): Promise<{ team: Team; key: string }> {
  const { sql } = database.current;
  const team = await createTeam(database.current, harness.clock, { name: 'Team', isSandbox: false });
  const { key } = await createApiKey(database.current, harness.clock, { team, label: 'first' });
  for (let number = 0; number < users; number++) {
    const { userId } = await createUser(
      database.current,
      team,
      { clientUserId: `patient-${number}` },
      {
        clock: harness.clock,
        sandboxUsersMax: 50,
      },
    );
    await sql`
      INSERT INTO connections (connection_id, team_id, user_id, provider, status, application, created_at, updated_at)
      VALUES (${randomUUID()}, ${team.teamId}, ${userId}, 'fitbit', 'connected', 'platform', now(), now())`;
  }
  return { team, key };
}

const isValid = async (key: string) => (await authenticateKey(database.current, harness.clock, key, null)) !== null;

/** Tables with rows of the team, except the log, the audit log, and the ids of erased users that a restored backup must erase again. */
async function tablesWith(teamId: string): Promise<readonly string[]> {
  const { sql } = database.current;
  const tables = await sql<{ name: string }[]>`
    SELECT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'team_id'
    WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relname NOT IN ('log_events', 'audit_entries', 'erasures', 'team_erasures') ORDER BY 1`;
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await sql.unsafe(`SELECT 1 FROM ${name} WHERE team_id::text = '${teamId}' LIMIT 1`);
    if (rows.length > 0) found.push(name);
  }
  return found;
}

test('deletes a team only with --force, and revokes its keys at once', async () => {
  const { team, key } = await newTeam(1);
  expect(await admin('teams', 'delete', team.teamId)).toBe(1);
  expect(await isValid(key)).toBe(true);
  expect(await admin('teams', 'delete', team.teamId, '--force')).toBe(0);
  expect(await isValid(key)).toBe(false);
});

test('a deletion that is undone within its grace period leaves keys and users as they were', async () => {
  const { team, key } = await newTeam(3);
  await admin('teams', 'delete', team.teamId, '--force');
  await scheduler.runJob('erase_teams');
  const live = () => database.current.sql`SELECT 1 FROM users WHERE team_id = ${team.teamId} AND deleted_at IS NULL`;
  expect(await live()).toHaveLength(0);
  expect(await tablesWith(team.teamId)).not.toContain('connections');
  harness.clock.advance(6 * dayMs);
  expect(await admin('teams', 'undelete', team.teamId)).toBe(0);
  expect([(await live()).length, await isValid(key)]).toEqual([3, true]);
  await scheduler.runJob('erase_teams');
  expect(await live()).toHaveLength(3);
});

test('leaves only the audit entries of a team after the grace period, and nothing restores it', async () => {
  const { team } = await newTeam(3);
  const { team: other, key } = await newTeam(1);
  await database.current.sql`
    INSERT INTO audit_entries (day, entry_id, at, team_id, actor_kind, actor, effect, action, status)
    VALUES ('2026-01-01', ${randomUUID()}, now(), ${team.teamId}, 'operator', 'test', 'change', 'teams delete', 0)`;
  await admin('teams', 'delete', team.teamId, '--force');
  await scheduler.runJob('erase_teams');
  harness.clock.advance(8 * dayMs);
  await scheduler.runJob('erase_users');
  await scheduler.runJob('erase_teams');
  expect(await tablesWith(team.teamId)).toEqual([]);
  const events = await database.current.sql`SELECT 1 FROM log_events WHERE team_id = ${team.teamId} AND client_user_id IS NOT NULL`;
  expect(events).toHaveLength(0);
  expect(await database.current.sql`SELECT 1 FROM audit_entries WHERE team_id = ${team.teamId}`).toHaveLength(1);
  expect(await admin('teams', 'undelete', team.teamId)).toBe(1);
  expect([await isValid(key), (await tablesWith(other.teamId)).includes('users')]).toEqual([true, true]);
});

test('completes a deletion whose process was killed after any commit', async () => {
  const { team } = await newTeam(3);
  const { sql } = database.current;
  const { userId } = await createUser(
    database.current,
    team,
    { clientUserId: 'with a link' },
    { clock: harness.clock, sandboxUsersMax: 50 },
  );
  await sql`
    INSERT INTO link_consents (consent_id, session_id, team_id, user_id, provider, application, code_hash, token_answer, created_at, expires_at)
    VALUES (${randomUUID()}, ${randomUUID()}, ${team.teamId}, ${userId}, 'fitbit', 'platform', '', '', now(), now())`;
  await admin('teams', 'delete', team.teamId, '--force');
  const cutter = await startCommitCutter(database.url);
  /** Runs the job in successive processes; each dies one commit later than the last, without the response to its final COMMIT. */
  async function runKilled(job: string): Promise<void> {
    for (let commits = 1, wasKilled = true; wasKilled; commits++) {
      const dying = await composeScheduler(cutter.url, harness);
      const killed = new AbortController();
      const last = cutter.commits + commits;
      cutter.loses = (number) => {
        if (number >= last) killed.abort();
        return number >= last;
      };
      await dying.runJob(job, killed.signal).catch(() => {});
      wasKilled = killed.signal.aborted;
      cutter.loses = () => false;
      await dying.close().catch(() => {});
    }
  }
  try {
    await runKilled('erase_teams');
    expect(cutter.lost).toBeGreaterThan(1);
    expect(await sql`SELECT 1 FROM users WHERE team_id = ${team.teamId} AND deleted_at IS NULL`).toHaveLength(0);
    harness.clock.advance(8 * dayMs);
    await runKilled('erase_users');
    await runKilled('erase_teams');
  } finally {
    await cutter.close();
  }
  expect(await tablesWith(team.teamId)).toEqual([]);
  expect(await sql`SELECT 1 FROM team_erasures WHERE team_id = ${team.teamId}`).toHaveLength(1);
  expect(await sql`SELECT 1 FROM erasures WHERE team_id = ${team.teamId}`).toHaveLength(4);
  const reported = await sql<
    { user_id: string }[]
  >`SELECT user_id FROM log_events WHERE team_id = ${team.teamId} AND event_type = 'user.deleted'`;
  expect(new Set(reported.map(({ user_id: id }) => id)).size).toBe(reported.length);
}, 120_000);
