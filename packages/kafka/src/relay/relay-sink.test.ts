import { noMetrics, silentLogger, systemClock } from '@pulsewire/kernel';
import type { Database } from '@pulsewire/database';
import { expect, it } from 'vitest';
import type { Consumption, LogEvent } from '@pulsewire/eventlog';
import type { EventWriter } from '../records/event-writer.ts';
import { RelaySink } from './relay-sink.ts';

it('stops while brokers are unreachable without waiting and without moving a position', async () => {
  const body = { kind: 'json', json: '{}' };
  const event = { shard: 3, offset: 7, day: '2026-01-01', eventType: 'x', userId: 'u', body } as unknown as LogEvent;
  const moved: unknown[] = [];
  const { promise: isSending, resolve: sends } = Promise.withResolvers<void>();
  const sink = new RelaySink({
    database: { transaction: async () => void moved.push('position') } as unknown as Database,
    producer: {
      send() {
        sends();
        return new Promise(() => {});
      },
    },
    writers: { takeOver: async () => {}, handBack: async () => {} },
    announcer: { due: async () => [], recordsOf: async () => [], note: async () => {} },
    writer: { recordsOf: async () => ({ event: {}, states: [] }) } as unknown as EventWriter,
    eventsTopic: 'events',
    group: 'relay',
    clock: systemClock,
    logger: silentLogger,
    metrics: noMetrics,
  });
  sink.start({ wake() {}, owned: () => [] } as unknown as Consumption);
  sink.accept(3, 1, [event]);
  await isSending;
  await sink.stop(AbortSignal.timeout(20));
  expect(moved).toEqual([]);
});
