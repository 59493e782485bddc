import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { firstShardCount, readFrom, reshard, shardOf, withEvents, type LogEvent, type NewEvent } from '@pulsewire/eventlog';
import { createEventWriter, redrivePoison, setAside, topicNames } from '@pulsewire/kafka';
import { useDatabase } from '../../support/database.ts';
import { failure } from '../kafka/readers.ts';

const file = useDatabase();
const topicPrefix = 'test.';

test('a redrive publishes no stale state of a user with newer events in a split-off shard', async () => {
  const userId = Array.from({ length: 200 }, () => randomUUID()).find((id) => shardOf(id, firstShardCount * 2) >= firstShardCount) ?? '';
  const emit = (event: NewEvent) => withEvents(file.current, async (_tx, add) => add(event));
  await emit(failure(userId, 'set aside'));
  const [event] = (await readFrom(file.current, [{ shard: shardOf(userId), offset: 0, day: '2020-01-01' }], 10)) as [LogEvent];
  await setAside(file.current, [{ ...event, consumer: 'relay', reason: 'no_schema', detail: '' }]);
  await reshard(file.current, firstShardCount * 2);
  await emit(failure(userId, 'newer'));
  const topics: string[] = [];
  const outcome = await redrivePoison({
    database: file.current,
    writer: createEventWriter({ registry: { idOf: async () => 1, schemaAddress: (id) => `schema:${id}` }, topicPrefix, partitions: 4 }),
    producer: { send: async (topic, records) => void topics.push(...records.map(() => topic)) },
    topicPrefix,
  });
  expect(outcome).toMatchObject({ published: 1, superseded: 1 });
  expect(topics).toEqual([topicNames(topicPrefix).events]);
});
