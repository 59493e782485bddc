import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { jsonEvent, withEvents } from '@pulsewire/eventlog';
import { openDatabase } from '@pulsewire/database';
import { useDatabase } from '../../support/database.ts';

const database = useDatabase();

const writers = 8;
const transactions = 25;
const eventsEach = 300;

function events(teamId: string) {
  return Array.from({ length: eventsEach }, () =>
    jsonEvent({ eventType: 'daily.data.steps.created', teamId, userId: randomUUID(), clientUserId: 'one', data: {} }),
  );
}

it('never deadlocks two transactions that append for many users at once', async () => {
  const teamId = randomUUID();
  const pool = openDatabase({ url: database.current.url, connectionsMax: writers });
  try {
    await Promise.all(
      Array.from({ length: writers }, async () => {
        for (let count = 0; count < transactions; count++)
          await withEvents(pool, async (_tx, emit) => {
            for (const event of events(teamId)) emit(event);
          });
      }),
    );
    const [row] = await pool.sql<{ count: number }[]>`SELECT count(*)::int AS count FROM log_events WHERE team_id = ${teamId}`;
    expect(row?.count).toBe(writers * transactions * eventsEach);
  } finally {
    await pool.close();
  }
});
