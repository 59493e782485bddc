import { addDays } from '@pulsewire/kernel';
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { acceptDay, openDatabase } from '@pulsewire/database';
import { jsonEvent, withEvents } from '@pulsewire/eventlog';
import { useDatabase } from '../../support/database.ts';

const database = useDatabase();
const today = new Date().toISOString().slice(0, 10);
const at = (day: string) => new Date(`${day}T12:00:00Z`);

/** Sets the calendar as if it had last moved `minutesAgo`, to the day `days` from today. */
async function lastMoved(days: number, minutesAgo: number): Promise<void> {
  await database.current.sql`
    INSERT INTO calendar (day, moved_at) VALUES (${addDays(today, days)}, clock_timestamp() - ${minutesAgo}::int * interval '1 minute')
    ON CONFLICT (is_only) DO UPDATE SET day = excluded.day, moved_at = excluded.moved_at`;
}

beforeEach(async () => {
  await database.current.sql`TRUNCATE calendar`;
});

describe('the calendar', () => {
  test('starts at the earlier of both clocks and follows them from day to day', async () => {
    expect(await acceptDay(database.current, at(addDays(today, 400)))).toEqual({ day: today, aheadDays: 0 });
    await lastMoved(-1, 5);
    expect(await acceptDay(database.current, at(today))).toEqual({ day: today, aheadDays: 0 });
  });

  test('is brought up to date by the first process to start, however long all were stopped', async () => {
    await lastMoved(-40, 5);
    const restarted = openDatabase({ url: database.url, connectionsMax: 1 });
    expect(await acceptDay(restarted, at(today))).toEqual({ day: today, aheadDays: 0 });
    await restarted.close();
  });

  test('rises by one day in half an hour when the clocks jump ahead', async () => {
    await lastMoved(-40, 60);
    expect(await acceptDay(database.current, at(today))).toEqual({ day: addDays(today, -39), aheadDays: 39 });
    expect(await acceptDay(database.current, at(today))).toEqual({ day: addDays(today, -39), aheadDays: 39 });
  });

  test('falls at once when the clocks are set back', async () => {
    await lastMoved(300, 5);
    expect(await acceptDay(database.current, at(today))).toEqual({ day: today, aheadDays: 0 });
  });
});

describe('the day of a log event', () => {
  const append = () =>
    withEvents(database.current, async (_, emit) => {
      emit(jsonEvent({ eventType: 'a.b', teamId: randomUUID(), userId: randomUUID(), clientUserId: null, data: {} }));
    });
  const latestDay = async () => {
    const [row] = await database.current.sql<{ day: string }[]>`SELECT max(day)::text AS day FROM log_shards`;
    return row?.day;
  };

  test('follows a clock that jumped ahead by three days at most', async () => {
    // The calendar is 40 days behind, so the clock of this server counts as ahead.
    await lastMoved(-40, 60);
    await append();
    expect(await latestDay()).toBe(addDays(today, -37));
  });

  test('is the clock’s own day while the calendar keeps up with it', async () => {
    await lastMoved(0, 5);
    await append();
    expect(await latestDay()).toBe(today);
  });
});
