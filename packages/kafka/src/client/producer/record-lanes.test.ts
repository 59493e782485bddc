import { expect, it, vi } from 'vitest';
import { RecordLanes, type KafkaRecord } from './record-lanes.ts';

const records = (partition: number, count: number, bytes: number): KafkaRecord[] =>
  Array.from({ length: count }, (_, n) => ({ partition, key: `${partition}-${n}`, value: Buffer.alloc(bytes), headers: {} }));

function ticket() {
  return { resolve: vi.fn<() => void>(), reject: vi.fn<(error: unknown) => void>() };
}

function takeAll(lanes: RecordLanes) {
  const rounds: ReturnType<RecordLanes['takeRound']>[] = [];
  while (!lanes.isEmpty) rounds.push(lanes.takeRound());
  return rounds;
}

it('keeps every batch below the limit of a broker, in bytes and in records, and loses none', () => {
  const lanes = new RecordLanes();
  lanes.add('topic', [...records(0, 40, 100_000), ...records(1, 2_500, 10), ...records(2, 3, 950_000)], ticket());
  const batches = takeAll(lanes).flatMap((round) => round.batches);
  for (const { records: batch } of batches) {
    const bytes = batch.reduce((sum, record) => sum + (record.value?.length ?? 0), 0);
    expect(bytes).toBeLessThan(1_000_000);
    expect(batch.length).toBeLessThanOrEqual(1_000);
  }
  const keys = batches.flatMap((batch) => batch.records.map((record) => record.key));
  expect(new Set(keys).size).toBe(40 + 2_500 + 3);
});

it('puts at most one batch of a partition into a round, in the order of the calls', () => {
  const lanes = new RecordLanes();
  lanes.add('topic', records(0, 1_500, 1), ticket());
  lanes.add('topic', [{ partition: 0, key: 'later call', value: null, headers: {} }], ticket());
  const rounds = takeAll(lanes);
  expect(rounds.map((round) => round.batches.map((batch) => batch.records.length))).toEqual([[1_000], [501]]);
  expect(rounds[1]?.batches[0]?.records.at(-1)?.key).toBe('later call');
});

it('keeps partitions of the same number apart by topic', () => {
  const lanes = new RecordLanes();
  lanes.add('a', records(0, 1, 1), ticket());
  lanes.add('b', records(0, 1, 1), ticket());
  expect(lanes.takeRound().batches.map((batch) => batch.topic)).toEqual(['a', 'b']);
});

it('lets the small partitions go on while a large one is being sent', () => {
  const lanes = new RecordLanes();
  for (let partition = 0; partition < 40; partition++) lanes.add('topic', records(partition, 8, 400_000), ticket());
  const order = takeAll(lanes).map((round) => round.batches.map((batch) => batch.partition));
  const firstRounds = order.flat().slice(0, 40);
  expect(new Set(firstRounds).size).toBe(40);
});

it('resolves a call when the last of its records is acknowledged, and not before', () => {
  const lanes = new RecordLanes();
  const call = ticket();
  lanes.add('topic', records(0, 1_001, 1), call);
  lanes.takeRound().acknowledge();
  expect(call.resolve).not.toHaveBeenCalled();
  lanes.takeRound().acknowledge();
  expect(call.resolve).toHaveBeenCalledOnce();
});

it('fails everything that waits behind a failed round, so that nothing overtakes', () => {
  const lanes = new RecordLanes();
  const [first, second] = [ticket(), ticket()];
  lanes.add('topic', records(0, 1_001, 1), first);
  const round = lanes.takeRound();
  lanes.add('topic', records(0, 1, 1), second);
  round.fail('reason');
  expect(first.reject).toHaveBeenCalledWith('reason');
  expect(second.reject).toHaveBeenCalledWith('reason');
  expect(lanes.isEmpty).toBe(true);
});

it('takes none of a call with a record that no broker takes', () => {
  const lanes = new RecordLanes();
  expect(() => lanes.add('topic', [...records(0, 1, 1), ...records(1, 1, 1_100_000)], ticket())).toThrow(
    expect.objectContaining({ code: 'kafka_record_too_large', retryable: false }),
  );
  expect(lanes.isEmpty).toBe(true);
});
