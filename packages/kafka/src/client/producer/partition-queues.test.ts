import { expect, it, vi } from 'vitest';
import { PartitionQueues, type KafkaRecord } from './partition-queues.ts';

const records = (partition: number, count: number, bytes: number): KafkaRecord[] =>
  Array.from({ length: count }, (_, n) => ({ partition, key: `${partition}-${n}`, value: Buffer.alloc(bytes), headers: {} }));

function ticket() {
  return { resolve: vi.fn<() => void>(), reject: vi.fn<(error: unknown) => void>() };
}

function takeAll(queues: PartitionQueues) {
  const rounds: ReturnType<PartitionQueues['takeRound']>[] = [];
  while (!queues.isEmpty) rounds.push(queues.takeRound());
  return rounds;
}

it('keeps every batch below the byte and record limits and loses no record', () => {
  const queues = new PartitionQueues();
  queues.add('topic', [...records(0, 40, 100_000), ...records(1, 2_500, 10), ...records(2, 3, 950_000)], ticket());
  const batches = takeAll(queues).flatMap((round) => round.batches);
  for (const { records: batch } of batches) {
    const bytes = batch.reduce((sum, record) => sum + (record.value?.length ?? 0), 0);
    expect(bytes).toBeLessThan(1_000_000);
    expect(batch.length).toBeLessThanOrEqual(1_000);
  }
  const keys = batches.flatMap((batch) => batch.records.map((record) => record.key));
  expect(new Set(keys).size).toBe(40 + 2_500 + 3);
});

it('takes at most one batch of a partition per round, in call order', () => {
  const queues = new PartitionQueues();
  queues.add('topic', records(0, 1_500, 1), ticket());
  queues.add('topic', [{ partition: 0, key: 'later call', value: null, headers: {} }], ticket());
  const rounds = takeAll(queues);
  expect(rounds.map((round) => round.batches.map((batch) => batch.records.length))).toEqual([[1_000], [501]]);
  expect(rounds[1]?.batches[0]?.records.at(-1)?.key).toBe('later call');
});

it('queues partitions of different topics separately', () => {
  const queues = new PartitionQueues();
  queues.add('a', records(0, 1, 1), ticket());
  queues.add('b', records(0, 1, 1), ticket());
  expect(queues.takeRound().batches.map((batch) => batch.topic)).toEqual(['a', 'b']);
});

it('sends small partitions while a large one is still queued', () => {
  const queues = new PartitionQueues();
  for (let partition = 0; partition < 40; partition++) queues.add('topic', records(partition, 8, 400_000), ticket());
  const order = takeAll(queues).map((round) => round.batches.map((batch) => batch.partition));
  const firstRounds = order.flat().slice(0, 40);
  expect(new Set(firstRounds).size).toBe(40);
});

it('resolves a call only when its last record is acknowledged', () => {
  const queues = new PartitionQueues();
  const call = ticket();
  queues.add('topic', records(0, 1_001, 1), call);
  queues.takeRound().acknowledge();
  expect(call.resolve).not.toHaveBeenCalled();
  queues.takeRound().acknowledge();
  expect(call.resolve).toHaveBeenCalledOnce();
});

it('fails everything queued behind a failed round', () => {
  const queues = new PartitionQueues();
  const [first, second] = [ticket(), ticket()];
  queues.add('topic', records(0, 1_001, 1), first);
  const round = queues.takeRound();
  queues.add('topic', records(0, 1, 1), second);
  round.fail('reason');
  expect(first.reject).toHaveBeenCalledWith('reason');
  expect(second.reject).toHaveBeenCalledWith('reason');
  expect(queues.isEmpty).toBe(true);
});

it('queues nothing of a call that has a record above the broker limit', () => {
  const queues = new PartitionQueues();
  expect(() => queues.add('topic', [...records(0, 1, 1), ...records(1, 1, 1_100_000)], ticket())).toThrow(
    expect.objectContaining({ code: 'kafka_record_too_large', retryable: false }),
  );
  expect(queues.isEmpty).toBe(true);
});
