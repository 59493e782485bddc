import { randomUUID } from 'node:crypto';
import { afterEach } from 'vitest';
import { expandSamples } from '@pulsewire/contract';
import type { Database } from '@pulsewire/database';
import { jsonEvent, readFrom, shardOf, withEvents, type EventLog, type LogEvent, type NewEvent } from '@pulsewire/eventlog';
import { CollectingSink } from '../../support/collecting-sink.ts';
import type { KafkaHarness } from './support/kafka-harness.ts';

export const teamId = randomUUID();

/** An event of a user that contains the given text. */
export function failure(userId: string, details: string): NewEvent {
  const data = { user_id: userId, provider: 'demo', error_type: 'unknown', message: 'Connect again.', error_details: details };
  return jsonEvent({
    eventType: 'provider.connection.error',
    teamId,
    userId,
    clientUserId: 'someone "quoted" ü',
    data,
    traceId: 'a'.repeat(32),
  });
}

/** The JSON of an event's data, whatever its form. */
export function textOf({ body }: LogEvent): string {
  return body.kind === 'json' ? body.json : expandSamples(body.packed);
}

/** The text that was passed to `failure`. */
export function detailsOf(event: LogEvent): string {
  return (JSON.parse(textOf(event)) as { error_details: string }).error_details;
}

/** Readers and relays that end with each test. */
export function useReaders(database: () => Database, harness: KafkaHarness) {
  const running: CollectingSink[] = [];
  const relays: (() => Promise<void>)[] = [];

  afterEach(async () => {
    await Promise.all(running.splice(0).map(async (sink) => sink.consumption?.stop()));
    await Promise.all(relays.splice(0).map((stop) => stop()));
  });

  return {
    startRelay: () => void relays.push(harness.startRelay()),
    async join(
      log: EventLog,
      group: string,
      configure: (sink: CollectingSink) => void = () => {},
      from: 'start' | 'end' = 'end',
    ): Promise<CollectingSink> {
      const sink = new CollectingSink(database());
      configure(sink);
      sink.consumption = await log.consume({ group, memberId: randomUUID(), from, sink });
      running.push(sink);
      return sink;
    },
    async leave(sink: CollectingSink): Promise<void> {
      running.splice(running.indexOf(sink), 1);
      await sink.recorded();
      await sink.consumption?.stop();
    },
    async emitAll(events: readonly NewEvent[]): Promise<void> {
      await withEvents(database(), async (_tx, emit) => {
        for (const event of events) emit(event);
      });
    },
    /** The user's events as stored in Postgres. */
    async stored(userId: string): Promise<readonly LogEvent[]> {
      const all = await readFrom(database(), [{ shard: shardOf(userId), offset: 0, day: '2020-01-01' }], 10_000);
      return all.filter((event) => event.userId === userId);
    },
  };
}
