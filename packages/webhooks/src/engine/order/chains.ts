import type { Lanes } from '../lanes.ts';
import type { Recorder } from '../recorder.ts';
import { alreadyRecordedItem } from '../settle.ts';
import type { Delivery, RecordItem } from '../types.ts';
import { chainKey, newChain, type Chain } from './chain.ts';
import type { Answer, Inquiry } from './inquiry.ts';

export interface ChainsOptions {
  readonly lanes: Lanes;
  readonly recorder: Recorder;
  readonly inquiry: Inquiry;
  /** Makes a row of a delivery, leased to us when its attempt is under way. */
  park(delivery: Delivery): void;
  /** Monotonic milliseconds. */
  nowMs(): number;
}

/**
 * Order per user. Of each user at each ordered endpoint one delivery is under way; what comes meanwhile waits behind it.
 * When the first one fails or takes too long, all of the line become rows, and so does what comes later: rows behind the first are
 * held back in the database, which frees the next when the first is settled. Before the first of a user is sent, the database is
 * asked for rows of that user, so nothing has to be remembered across crashes and takeovers.
 */
export class Chains {
  readonly #options: ChainsOptions;
  readonly #chains = new Map<string, Chain>();

  constructor(options: ChainsOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#chains.size;
  }

  /** A delivery of an event that was just read. */
  enter(delivery: Delivery): void {
    const { lanes, nowMs } = this.#options;
    const userId = delivery.event.userId ?? '';
    const key = chainKey({ endpointId: delivery.endpoint.endpointId, userId, shard: delivery.event.shard });
    let chain = this.#chains.get(key);
    const isNew = chain === undefined;
    if (chain === undefined) this.#chains.set(key, (chain = newChain(delivery, userId)));
    delivery.chain = chain;
    // One that may be recorded already is asked about before it becomes a row.
    if (isNew && !delivery.isUnsure && lanes.of(delivery.endpoint).refusesLive(nowMs())) chain.mode = 'rows';
    if (chain.mode === 'rows') this.#toRow(chain, delivery);
    else if (chain.head === null) this.#ask(chain, delivery);
    else chain.waiting.push(delivery);
  }

  /** What the database knew of a head. */
  answered(delivery: Delivery, answer: Answer): void {
    const { chain } = delivery;
    if (chain === null || chain.head !== delivery || delivery.state === 'over' || !this.#isKnown(chain)) return;
    if (answer === 'recorded') {
      delivery.state = 'over';
      this.#options.recorder.add(alreadyRecordedItem(delivery));
      // What was recorded may have been a failure, whose row the next one must not pass.
      return this.#advance(chain, 'ask');
    }
    if (answer === 'held') return this.parkFrom(delivery);
    if (chain.mode === 'asking') chain.mode = 'live';
    this.#send(delivery);
  }

  /** An attempt has ended and was recorded as `item`; undefined: it is not ours any more. */
  ended(delivery: Delivery, item: RecordItem | undefined): void {
    const { chain } = delivery;
    if (chain === null || chain.head !== delivery || !this.#isKnown(chain)) return;
    chain.head = null;
    if (item?.row === 'insert') {
      chain.unwritten += 1;
      this.#allToRows(chain);
    } else if (chain.mode === 'live') this.#advance(chain, 'send');
    else this.#forgetIfOver(chain);
  }

  /** Makes rows of a delivery that waits too long, and of all that is behind it. */
  parkFrom(delivery: Delivery): void {
    const { chain } = delivery;
    if (chain === null || !this.#isKnown(chain)) return;
    if (chain.head === delivery) {
      chain.head = null;
      this.#toRow(chain, delivery);
    }
    this.#allToRows(chain);
  }

  /** A row that was to be written was taken back: the attempt ended first, and its outcome takes the place. */
  unparked(delivery: Delivery): void {
    const { chain } = delivery;
    if (chain === null || !this.#isKnown(chain)) return;
    chain.unwritten -= 1;
    chain.head = delivery;
  }

  /** Everything in memory becomes rows: the dispatcher stops. */
  parkAll(): void {
    for (const chain of this.#chains.values()) {
      if (chain.head !== null) this.parkFrom(chain.head);
      else this.#allToRows(chain);
    }
  }

  /** The shard went to another member, and the lines of its users with it. */
  revoked(shard: number): void {
    for (const [key, chain] of this.#chains) if (chain.shard === shard) this.#chains.delete(key);
  }

  /** A batch was committed. */
  recorded(items: readonly RecordItem[]): void {
    for (const { delivery, row } of items) {
      const { chain } = delivery;
      if (chain === null || row !== 'insert' || !this.#isKnown(chain)) continue;
      chain.unwritten -= 1;
      this.#forgetIfOver(chain);
    }
  }

  #isKnown(chain: Chain): boolean {
    return this.#chains.get(chainKey(chain)) === chain;
  }

  #ask(chain: Chain, delivery: Delivery): void {
    chain.head = delivery;
    this.#options.inquiry.ask(delivery);
  }

  #send(delivery: Delivery): void {
    const { lanes } = this.#options;
    const lane = lanes.of(delivery.endpoint);
    lane.enqueue(delivery);
    lanes.pump(lane);
  }

  #advance(chain: Chain, how: 'ask' | 'send'): void {
    let next = chain.waiting.shift();
    while (next !== undefined && next.state === 'over') next = chain.waiting.shift();
    chain.head = next ?? null;
    if (next === undefined) return this.#forgetIfOver(chain);
    if (how === 'ask' || next.isUnsure) this.#options.inquiry.ask(next);
    else this.#send(next);
  }

  #allToRows(chain: Chain): void {
    chain.mode = 'rows';
    for (let next = chain.waiting.shift(); next !== undefined; next = chain.waiting.shift())
      if (next.state !== 'over') this.#toRow(chain, next);
  }

  #toRow(chain: Chain, delivery: Delivery): void {
    chain.mode = 'rows';
    chain.unwritten += 1;
    this.#options.park(delivery);
  }

  #forgetIfOver(chain: Chain): void {
    if (chain.head === null && chain.waiting.size === 0 && chain.unwritten === 0) this.#chains.delete(chainKey(chain));
  }
}
