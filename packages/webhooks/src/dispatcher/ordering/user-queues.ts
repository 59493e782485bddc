import { endDelivery, isOver, joinUserQueue } from '../delivery/delivery-state.ts';
import type { Delivery, UserQueue, RecordItem } from '../delivery/delivery.ts';
import { Fifo } from '../delivery/fifo.ts';
import { alreadyRecordedItem } from '../delivery/record-items.ts';
import type { LookupResult, PriorDeliveryLookup } from './prior-delivery-lookup.ts';
import type { Recorder } from '../outcomes/recorder.ts';
import type { EndpointQueues } from '../queues/endpoint-queues.ts';

/**
 * The key includes the shard: after a reshard a user's events come from another shard, which is read once the old one is fully recorded.
 * The old shard's queue may still exist then, until that shard is released.
 */
const userQueueKey = ({ endpointId, userId, shard }: Pick<UserQueue, 'endpointId' | 'userId' | 'shard'>): string =>
  `${endpointId}:${userId}:${shard}`;

function newUserQueue(delivery: Delivery, userId: string): UserQueue {
  return {
    endpointId: delivery.endpoint.endpointId,
    userId,
    shard: delivery.event.shard,
    mode: 'lookup',
    head: null,
    waiting: new Fifo(),
    unwritten: 0,
  };
}

interface UserQueuesOptions {
  readonly queues: EndpointQueues;
  readonly recorder: Recorder;
  readonly priorDeliveries: PriorDeliveryLookup;
  /** Writes a row for a delivery, leased to us while its attempt is in progress. */
  park(delivery: Delivery): void;
  /** Monotonic milliseconds. */
  nowMs(): number;
}

/**
 * Order per user. Each user has one delivery in progress at each ordered endpoint; later ones wait behind it. When the first one fails or
 * takes too long, the whole queue becomes rows, and so do later deliveries. Rows behind the first are held back in the database until the
 * first is settled. Before the first of a user is sent, the database is checked for rows of that user, so no state needs to survive crashes
 * and takeovers.
 */
export class UserQueues {
  readonly #options: UserQueuesOptions;
  readonly #userQueues = new Map<string, UserQueue>();

  constructor(options: UserQueuesOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#userQueues.size;
  }

  /** A delivery of an event that was just read. */
  enter(delivery: Delivery): void {
    const { queues, nowMs } = this.#options;
    const userId = delivery.event.userId ?? '';
    const key = userQueueKey({ endpointId: delivery.endpoint.endpointId, userId, shard: delivery.event.shard });
    let userQueue = this.#userQueues.get(key);
    const isNew = userQueue === undefined;
    if (userQueue === undefined) this.#userQueues.set(key, (userQueue = newUserQueue(delivery, userId)));
    joinUserQueue(delivery, userQueue);
    // A delivery that may already be recorded is looked up before it becomes a row.
    if (isNew && !delivery.mayBeRecorded && queues.of(delivery.endpoint).refusesLive(nowMs())) userQueue.mode = 'rows';
    if (userQueue.mode === 'rows') this.#toRow(userQueue, delivery);
    else if (userQueue.head === null) this.#ask(userQueue, delivery);
    else userQueue.waiting.push(delivery);
  }

  /** The lookup result of a head. */
  lookedUp(delivery: Delivery, result: LookupResult): void {
    const { userQueue } = delivery;
    if (userQueue === null || userQueue.head !== delivery || isOver(delivery) || !this.#isKnown(userQueue)) return;
    if (result === 'recorded') {
      endDelivery(delivery);
      this.#options.recorder.add(alreadyRecordedItem(delivery));
      // The recorded outcome may be a failure, whose row the next delivery must not overtake.
      return this.#advance(userQueue, 'look-up');
    }
    if (result === 'held') return this.parkFrom(delivery);
    if (userQueue.mode === 'lookup') userQueue.mode = 'live';
    this.#send(delivery);
  }

  /** An attempt has ended and was recorded as `item`; undefined: it no longer belongs to us. */
  ended(delivery: Delivery, item: RecordItem | undefined): void {
    const { userQueue } = delivery;
    if (userQueue === null || userQueue.head !== delivery || !this.#isKnown(userQueue)) return;
    userQueue.head = null;
    if (item?.row === 'insert') {
      userQueue.unwritten += 1;
      this.#allToRows(userQueue);
    } else if (userQueue.mode === 'live') this.#advance(userQueue, 'send');
    else this.#forgetIfOver(userQueue);
  }

  /** Parks a delivery that waits too long, and everything behind it. */
  parkFrom(delivery: Delivery): void {
    const { userQueue } = delivery;
    if (userQueue === null || !this.#isKnown(userQueue)) return;
    if (userQueue.head === delivery) {
      userQueue.head = null;
      this.#toRow(userQueue, delivery);
    }
    this.#allToRows(userQueue);
  }

  /** A requested row was cancelled, because the attempt ended first and its outcome is recorded instead. */
  unparked(delivery: Delivery): void {
    const { userQueue } = delivery;
    if (userQueue === null || !this.#isKnown(userQueue)) return;
    userQueue.unwritten -= 1;
    userQueue.head = delivery;
  }

  /** Everything in memory becomes rows: the dispatcher stops. */
  parkAll(): void {
    for (const userQueue of this.#userQueues.values()) {
      if (userQueue.head !== null) this.parkFrom(userQueue.head);
      else this.#allToRows(userQueue);
    }
  }

  /** The shard went to another member, and the queues of its users with it. */
  revoked(shard: number): void {
    for (const [key, userQueue] of this.#userQueues) if (userQueue.shard === shard) this.#userQueues.delete(key);
  }

  /** A batch was committed. */
  recorded(items: readonly RecordItem[]): void {
    for (const { delivery, row } of items) {
      const { userQueue } = delivery;
      if (userQueue === null || row !== 'insert' || !this.#isKnown(userQueue)) continue;
      userQueue.unwritten -= 1;
      this.#forgetIfOver(userQueue);
    }
  }

  #isKnown(userQueue: UserQueue): boolean {
    return this.#userQueues.get(userQueueKey(userQueue)) === userQueue;
  }

  #ask(userQueue: UserQueue, delivery: Delivery): void {
    userQueue.head = delivery;
    this.#options.priorDeliveries.enqueue(delivery);
  }

  #send(delivery: Delivery): void {
    const { queues } = this.#options;
    const queue = queues.of(delivery.endpoint);
    queue.enqueue(delivery);
    queues.pump(queue);
  }

  #advance(userQueue: UserQueue, how: 'look-up' | 'send'): void {
    let next = userQueue.waiting.shift();
    while (next !== undefined && isOver(next)) next = userQueue.waiting.shift();
    userQueue.head = next ?? null;
    if (next === undefined) return this.#forgetIfOver(userQueue);
    if (how === 'look-up' || next.mayBeRecorded) this.#options.priorDeliveries.enqueue(next);
    else this.#send(next);
  }

  #allToRows(userQueue: UserQueue): void {
    userQueue.mode = 'rows';
    for (let next = userQueue.waiting.shift(); next !== undefined; next = userQueue.waiting.shift())
      if (!isOver(next)) this.#toRow(userQueue, next);
  }

  #toRow(userQueue: UserQueue, delivery: Delivery): void {
    userQueue.mode = 'rows';
    userQueue.unwritten += 1;
    this.#options.park(delivery);
  }

  #forgetIfOver(userQueue: UserQueue): void {
    if (userQueue.head === null && userQueue.waiting.size === 0 && userQueue.unwritten === 0)
      this.#userQueues.delete(userQueueKey(userQueue));
  }
}
