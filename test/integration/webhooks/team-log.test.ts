import { describe, expect, it } from 'vitest';
import { uuidv7 } from '@pulsewire/kernel';
import { ensureDailyPartitions } from '@pulsewire/database';
import { readTeam, seekTime, shardOf, type TeamQuery } from '@pulsewire/eventlog';
import { useDatabase } from '../../support/database.ts';

const file = useDatabase();
const hour = 3_600_000;

/** One event an hour from 1 May on, of one user and of two teams in turn, over three partitions. */
async function hourly(count: number): Promise<{ userId: string; teams: readonly [string, string]; firstMs: number }> {
  const userId = uuidv7();
  const teams = [uuidv7(), uuidv7()] as const;
  const firstMs = Date.parse('2026-05-01T00:00:00Z');
  await ensureDailyPartitions(file.current, 'log_events', { from: '2026-05-01', days: 4 });
  const shard = shardOf(userId);
  await file.current.sql`
    INSERT INTO log_events (shard, "offset", day, event_id, event_type, team_id, user_id, client_user_id, is_historical, written_at, json)
    SELECT ${shard}, 100 + n, (to_timestamp(${firstMs}::float8 / 1000) + n * interval '1 hour')::date, gen_random_uuid(), 'daily.data.sleep.created',
           (ARRAY[${teams[0]}, ${teams[1]}]::uuid[])[1 + n % 2], ${userId}, 'x', false, ${firstMs}::bigint + n * ${hour}, '{"n":1}'
    FROM generate_series(0, ${count - 1}) n`;
  await file.current.sql`UPDATE log_shards SET next_offset = ${100 + count} WHERE shard = ${shard}`;
  return { userId, teams, firstMs };
}

describe('a team in the log', () => {
  it('is found by time: no later event before the point, at most a minute of earlier ones after', async () => {
    const { userId, firstMs } = await hourly(72);
    const shard = shardOf(userId);
    const at = async (ms: number) => (await seekTime(file.current, ms))[shard]?.offset;
    for (const n of [0, 1, 23, 24, 25, 47, 48, 71]) {
      expect([n, await at(firstMs + n * hour)]).toEqual([n, 100 + n]);
      expect([n, await at(firstMs + n * hour + 30 * 60_000)]).toEqual([n, 101 + n]);
    }
    expect(await at(firstMs - 400 * 24 * hour)).toBe(100);
    expect(await at(firstMs + 400 * 24 * hour)).toBe(172);
    const quiet = (await seekTime(file.current, firstMs)).filter((point) => point.shard !== shard);
    expect(quiet).toHaveLength(63);
    expect(quiet.every(({ offset }) => offset === 0)).toBe(true);
    await file.current.sql`DELETE FROM log_events`;
    await file.current.sql`UPDATE log_shards SET next_offset = 0`;
  });

  it('is read in both directions in bounded pages that report their end even without a match', async () => {
    const { userId, teams, firstMs } = await hourly(40);
    const shard = shardOf(userId);
    const query = (fields: Partial<TeamQuery>): TeamQuery => ({
      teamId: teams[0],
      points: [{ shard, offset: 0 }],
      direction: 'forward',
      fromDay: '2026-05-01',
      limitPerShard: 5,
      ...fields,
    });
    const offsets = async (fields: Partial<TeamQuery>) => {
      const [turn] = await readTeam(file.current, query(fields));
      return turn && [turn.matches.map(({ offset }) => offset), turn.last.offset, turn.hasMore];
    };
    expect(await offsets({})).toEqual([[100, 102, 104, 106, 108], 108, true]);
    expect(await offsets({ points: [{ shard, offset: 133 }] })).toEqual([[134, 136, 138], 138, false]);
    expect(await offsets({ points: [{ shard, offset: 107 }], direction: 'backward' })).toEqual([[106, 104, 102, 100], 100, false]);
    expect(await offsets({ points: [{ shard, offset: 139 }], direction: 'backward', limitPerShard: 2 })).toEqual([[138, 136], 136, true]);
    expect(await offsets({ eventTypes: ['daily.data.steps.created'] })).toEqual([[], 108, true]);
    expect(await offsets({ sinceMs: firstMs + 4 * hour, untilMs: firstMs + 6 * hour })).toEqual([[104, 106], 108, true]);
    expect(await offsets({ fromDay: '2026-05-02', toDay: '2026-05-02', limitPerShard: 50 })).toEqual([
      Array.from({ length: 8 }, (_, n) => 124 + 2 * n),
      138,
      false,
    ]);
    expect(await offsets({ teamId: uuidv7() })).toBeUndefined();
  });
});
