import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { expireDemoUsers, extendDemos, pausePastIngestionEnd } from '@pulsewire/connections';
import { completeIdleHistories, admitNext } from '@pulsewire/ingest';
import { useDatabase } from '../../support/database.ts';
import { composeScheduler } from './support/scheduler-harness.ts';
import { createHarness, eventsOf, today, type Harness } from './support/harness.ts';

const database = useDatabase({ connectionsMax: 20 });
let harness: Harness;
beforeEach(async () => {
  harness = await createHarness(database.current);
});
afterEach(async () => {
  await refuse(null);
  await harness.close();
});

/** Makes Postgres refuse changes of this user's rows and events of this user; null ends that. */
async function refuse(userId: string | null): Promise<void> {
  const { sql } = database.current;
  for (const table of ['connections', 'log_events']) {
    await sql.unsafe(`ALTER TABLE ${table} DROP CONSTRAINT IF EXISTS refuses_one`);
    if (userId !== null) await sql.unsafe(`ALTER TABLE ${table} ADD CONSTRAINT refuses_one CHECK (user_id <> '${userId}') NOT VALID`);
  }
}

/** The id that comes first in every order, so that the refused user is handled before the others. */
const first = (users: readonly { readonly userId: string }[]) => users.map(({ userId }) => userId).toSorted()[0] ?? '';
const options = () => ({ limit: 1, signal: new AbortController().signal });

describe('a job over many users, when Postgres rejects what it writes for one of them', () => {
  test('pauses the connections of the others whose ingestion has ended', async () => {
    const users = [await harness.link(), await harness.link(), await harness.link()];
    await database.current.sql`UPDATE users SET ingestion_end = '2026-01-01'`;
    await refuse(first(users));
    const service = await composeScheduler(database.url, harness);
    await expect(service.runJob('pause_ended_connections')).rejects.toMatchObject({ code: '23514' });
    await service.close();
    expect(await database.current.sql`SELECT FROM connections WHERE status = 'paused'`).toHaveLength(2);
    const page = await pausePastIngestionEnd({ database: database.current, clock: harness.clock }, 1);
    expect(page).toMatchObject({ connections: 0, next: first(users), errors: [expect.anything()] });
  });

  test('deletes the other demo users', async () => {
    const users = [await harness.link(), await harness.link(), await harness.link()];
    await database.current.sql`UPDATE connections SET demo_due_at = now(), created_at = '2026-01-01'`;
    await refuse(first(users));
    await expect(expireDemoUsers(database.current, { clock: harness.clock }, 1)).rejects.toMatchObject({ code: '23514' });
    expect(await database.current.sql`SELECT FROM users WHERE deleted_at IS NOT NULL`).toHaveLength(2);
  });

  test('creates the data of the other demo users; the rejected one is retried at its next time', async () => {
    const users = [await harness.link(), await harness.link()];
    const bad = users[0]?.userId ?? '';
    await database.current
      .sql`UPDATE connections SET demo_due_at = ${`${today}T08:00:00Z`}::timestamptz - (user_id = ${bad})::int * interval '1 hour'`;
    const filled: string[] = [];
    const context = {
      database: database.current,
      clock: harness.clock,
      fill: async (...[tx, , { connection }]: Parameters<Parameters<typeof extendDemos>[0]['fill']>) => {
        if (connection.userId === bad) await tx.sql`SELECT 'none'::date`;
        filled.push(connection.userId);
      },
    };
    await expect(extendDemos(context, { ...options(), limit: 10 })).rejects.toMatchObject({ code: '22007' });
    expect(filled).toEqual([users[1]?.userId]);
    expect(await extendDemos(context, { ...options(), limit: 10 })).toBe(0);
  });

  test('completes the histories of the others', async () => {
    const users = [await harness.link(), await harness.link(), await harness.link()];
    await database.current.sql`UPDATE pull_windows SET state = 'given_up'`;
    const bad = users.map(({ connectionId }) => connectionId).toSorted()[0];
    await refuse(users.find(({ connectionId }) => connectionId === bad)?.userId ?? '');
    const context = { database: database.current, clock: harness.clock };
    await expect(completeIdleHistories(context, 1)).rejects.toMatchObject({ code: '23514' });
    for (const { userId, connectionId } of users)
      expect(await eventsOf(database.current, userId, 'historical.data.%.created')).toHaveLength(connectionId === bad ? 0 : 3);
  });
});

describe('turns of all budgets, when one turn fails', () => {
  test('still go to the connections behind it and in other budgets', async () => {
    const none = { calls: 0, turns: 0 };
    const empty = { rules: {}, stoppedUntilMs: null, cost: { live: none, backfill: none } };
    const owners = [randomUUID(), randomUUID()];
    const given: string[] = [];
    const linked: string[] = [];
    for (const teamId of owners) {
      await database.current.sql`INSERT INTO teams (team_id, name, created_at) VALUES (${teamId}, 'Team', now())`;
      for (let each = 0; each < 2; each++) linked.push((await harness.link({ teamId })).connectionId);
      await database.current
        .sql`INSERT INTO provider_budgets (provider, owner, state) VALUES ('wristband', ${teamId}, ${JSON.stringify(empty)}::jsonb)`;
    }
    await database.current.sql`
      UPDATE pull_plans p SET waits_for = 'live', waits_owner = c.team_id::text, queue_at = now() FROM connections c WHERE c.connection_id = p.connection_id`;
    const [bad] = linked;
    const ports = {
      database: database.current,
      clock: harness.clock,
      connectorFor: () => ({ slug: 'wristband', quotas: [] }),
      liveShare: 0.2,
      async admit(connectionId: string) {
        if (connectionId === bad) throw Object.assign(new Error('refused'), { code: '22008' });
        given.push(connectionId);
      },
    };
    await expect(admitNext(ports)).rejects.toMatchObject({ code: '22008' });
    expect(given.toSorted()).toEqual(linked.slice(1).toSorted());
  });
});
