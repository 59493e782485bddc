import type { LogEvent } from '@pulsewire/eventlog';
import type { LeasedShard } from './shard-writers.ts';

/** An event with its shard and the epoch under which it was read. */
export interface QueuedEvent extends LeasedShard {
  readonly event: LogEvent;
}

/** Events that wait to be published, in order within each shard. Taken by bytes in one step, which no queue of a library offers. */
export class RelayQueue {
  #events: QueuedEvent[] = [];

  get length(): number {
    return this.#events.length;
  }

  add(epoch: number, events: readonly LogEvent[]): void {
    for (const event of events) this.#events.push({ event, shard: event.shard, epoch });
  }

  /** The next events, up to this number and about this many bytes of bodies; at least one if the queue is not empty. */
  take(eventsMax: number, bytesMax: number): readonly QueuedEvent[] {
    let bytes = 0;
    let count = 0;
    for (const { event } of this.#events) {
      bytes += event.body.kind === 'json' ? event.body.json.length : event.body.packed.length * 4;
      if (count > 0 && (count === eventsMax || bytes > bytesMax)) break;
      count += 1;
    }
    const taken = this.#events.slice(0, count);
    this.#events = this.#events.slice(count);
    return taken;
  }

  dropShard(shard: number): void {
    this.#events = this.#events.filter(({ event }) => event.shard !== shard);
  }
}
