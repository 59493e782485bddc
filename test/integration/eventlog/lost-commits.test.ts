import { openDatabase } from '@pulsewire/database';
import { silentLogger, uuidv7 } from '@pulsewire/kernel';
import { expect, it } from 'vitest';
import { claimShards } from '../../../packages/eventlog/src/group/claim-shards.ts';
import { movePositions } from '../../../packages/eventlog/src/group/positions.ts';
import { seedGroup } from '../../../packages/eventlog/src/group/seed-group.ts';
import { PositionSaver } from '../../../packages/kafka/src/relay/position-saver.ts';
import { startCommitCutter } from '../../support/commit-cutter.ts';
import { useDatabase } from '../../support/database.ts';

const file = useDatabase();

it('saves a position and its poisoned events once when the response to the COMMIT is lost', async () => {
  const way = await startCommitCutter(file.url);
  const database = openDatabase({ url: way.url, name: 'saver', connectionsMax: 2 });
  const member = { group: 'relay', memberId: 'one', leaseMs: 60_000 };
  await seedGroup(file.current, member.group, 'end');
  const [owned] = await claimShards(file.current, member, [], 1);
  if (owned === undefined) throw new Error('no shard was claimed');
  const { shard, day, epoch } = owned;
  // As if ten more events had been written, because a position cannot exceed the end of the log.
  await file.current.sql`UPDATE log_shards SET next_offset = next_offset + 10 WHERE shard = ${shard}`;
  const saved: number[] = [];
  const saver = new PositionSaver({
    database,
    logger: silentLogger,
    positions: () => ({
      savePositions: (tx, positions) => movePositions(tx, member, positions),
      saved: async (positions) => void saved.push(...positions.map(({ offset }) => offset)),
    }),
  });
  way.loses = (number) => number % 2 === 1;
  for (const offset of [owned.offset + 1, owned.offset + 2, owned.offset + 3]) {
    const poison = { consumer: 'relay', shard, offset, day, eventId: uuidv7(), eventType: 'x', reason: 'no_schema', detail: '' };
    saver.note([{ shard, offset, day, epoch }], [poison]);
    await saver.drain(new AbortController().signal);
  }
  expect(way.lost).toBe(3);
  expect(saved).toEqual([owned.offset + 1, owned.offset + 2, owned.offset + 3]);
  const [position] = await file.current
    .sql`SELECT "offset"::int AS "offset" FROM log_positions WHERE consumer = 'relay' AND shard = ${shard}`;
  expect(position).toEqual({ offset: owned.offset + 3 });
  expect(await file.current.sql`SELECT FROM log_poison`).toHaveLength(3);
  await database.close();
  await way.close();
});

it('saves positions although Postgres rejects a poison record, and keeps its SQLSTATE', async () => {
  const member = { group: 'refused', memberId: 'one', leaseMs: 60_000 };
  await seedGroup(file.current, member.group, 'end');
  const [owned] = await claimShards(file.current, member, [], 1);
  if (owned === undefined) throw new Error('no shard was claimed');
  const { shard, day, epoch, offset } = owned;
  await file.current.sql`UPDATE log_shards SET next_offset = next_offset + 10 WHERE shard = ${shard}`;
  const saver = new PositionSaver({
    database: file.current,
    logger: silentLogger,
    positions: () => ({ savePositions: (tx, positions) => movePositions(tx, member, positions), saved: async () => {} }),
  });
  const poison = { consumer: 'refused', shard, day, eventId: uuidv7(), eventType: 'x', reason: 'no_schema' };
  saver.note(
    [{ shard, offset: offset + 2, day, epoch }],
    [
      { ...poison, offset, detail: 'fine' },
      { ...poison, offset: offset + 1, detail: 'not\u0000fine' },
    ],
  );
  await saver.drain(AbortSignal.timeout(5000));
  const [position] = await file.current
    .sql`SELECT "offset"::int AS "offset" FROM log_positions WHERE consumer = 'refused' AND shard = ${shard}`;
  expect(position).toEqual({ offset: offset + 2 });
  const notes = await file.current.sql`SELECT reason, detail FROM log_poison WHERE consumer = 'refused' ORDER BY "offset"`;
  expect(notes).toEqual([
    { reason: 'no_schema', detail: 'fine' },
    { reason: 'sqlstate_22021', detail: '' },
  ]);
});
