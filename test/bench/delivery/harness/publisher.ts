import path from 'node:path';
import { Remote } from '../../remote.ts';

export interface PublishOptions {
  /** Transactions go to these teams in turn. */
  readonly teamIds: readonly string[];
  /** Number of the first event; they count up from it. */
  readonly base: number;
  readonly perTransaction: number;
  /** Every event of a transaction belongs to a different user, so that it touches many shards. */
  readonly usersApart?: boolean;
  /** Events per second; absent: as fast as possible. */
  readonly perSecond?: number;
  /** Whichever of the two limits is reached first ends the run. */
  readonly total?: number;
  readonly seconds?: number;
  /** Waits while more events than this are committed and not yet recorded by the dispatcher. */
  readonly lagMax?: number;
  /** Transactions at a time; 8 by default. */
  readonly publishers?: number;
}

export interface Published {
  readonly count: number;
  /** Epoch milliseconds at the end of each event's commit, in the order of their numbers. */
  readonly committedAt: Float64Array;
  readonly tookMs: number;
}

/** Writes the events of a benchmark, numbered consecutively. */
export class Publisher {
  readonly #remote: Remote;
  #next = 0;

  constructor(databaseUrl: string) {
    this.#remote = new Remote(path.join(import.meta.dirname, 'publisher-process.ts'), [databaseUrl]);
  }

  get pid(): number {
    return this.#remote.pid;
  }

  /** Number of the next event. */
  get next(): number {
    return this.#next;
  }

  async publish(options: Omit<PublishOptions, 'base'>): Promise<Published & { readonly base: number }> {
    const base = this.#next;
    const published = await this.#remote.ask<Published>('publish', { ...options, base });
    this.#next += published.count;
    return { ...published, base };
  }

  close(): Promise<void> {
    return this.#remote.close();
  }
}
