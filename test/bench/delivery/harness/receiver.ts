import path from 'node:path';
import type { Behaviour } from './behaviours.ts';
import type { Summary } from './recording.ts';
import { Remote } from '../../remote.ts';

/** Our own receiver, in a separate process. */
export class Receiver {
  readonly #remote: Remote;
  #url = '';

  private constructor(remote: Remote) {
    this.#remote = remote;
  }

  static async start(): Promise<Receiver> {
    const receiver = new Receiver(new Remote(path.join(import.meta.dirname, 'receiver-process.ts')));
    await receiver.up();
    return receiver;
  }

  get pid(): number {
    return this.#remote.pid;
  }

  url(endpoint: number, behaviour: Behaviour): string {
    return `${this.#url}${endpoint}/${behaviour}`;
  }

  /** Listens again, on the same port as before. */
  async up(): Promise<void> {
    this.#url = await this.#remote.ask<string>('up');
  }

  /** Refuses connections until it is up again. */
  down(): Promise<void> {
    return this.#remote.ask('down');
  }

  /** Clears all records; events numbered below `from` count as older ones from now on. */
  reset(from: number): Promise<void> {
    return this.#remote.ask('reset', from);
  }

  async summary(endpoints?: readonly number[]): Promise<Summary> {
    const all = await this.#remote.ask<readonly Summary[]>('summary');
    const some = all.filter(({ endpoint }) => endpoints === undefined || endpoints.includes(Number(endpoint)));
    const sum = (pick: (one: Summary) => number) => some.reduce((total, one) => total + pick(one), 0);
    const firsts = some.map(({ firstMs }) => firstMs).filter((ms) => ms > 0);
    return {
      endpoint: 'all',
      requests: sum(({ requests }) => requests),
      taken: sum(({ taken }) => taken),
      repeats: sum(({ repeats }) => repeats),
      older: sum(({ older }) => older),
      firstMs: firsts.length === 0 ? 0 : Math.min(...firsts),
      lastMs: Math.max(0, ...some.map(({ lastMs }) => lastMs)),
    };
  }

  /** When each event was first accepted, by its number since the last reset; 0: never. */
  arrivals(endpoint: number): Promise<Float64Array> {
    return this.#remote.ask('arrivals', String(endpoint));
  }

  close(): Promise<void> {
    return this.#remote.close();
  }
}
