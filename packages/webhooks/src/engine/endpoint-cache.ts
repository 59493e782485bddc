import type { Logger } from '@pulsewire/kernel';
import type { Cipher, Database } from '@pulsewire/database';
import { loadRouting, type RoutingTable } from './load-routing.ts';

export interface EndpointCacheOptions {
  readonly database: Database;
  readonly cipher: Cipher;
  readonly logger: Logger;
  /** Called after each load with what is new. */
  onLoaded(table: RoutingTable): void;
}

/**
 * The routing table in memory. One number in the database, raised by every change to endpoints and team switches, tells whether it
 * is still right; comparing it after events were read and before they are routed makes sure that no event misses an endpoint
 * which was there before it.
 */
export class EndpointCache {
  readonly #options: EndpointCacheOptions;
  #table: RoutingTable = { teams: new Map(), endpoints: new Map() };
  #version: string | undefined;
  #refreshing: Promise<void> | undefined;

  constructor(options: EndpointCacheOptions) {
    this.#options = options;
  }

  get table(): RoutingTable {
    return this.#table;
  }

  /** Brings the table up to what is committed now. Throws what the database throws: without an answer nobody knows the routes. */
  async refresh(): Promise<void> {
    // One that is under way may have looked before the caller's events were committed, so its answer is not enough.
    await this.#refreshing?.catch(() => {});
    this.#refreshing ??= this.#load().finally(() => (this.#refreshing = undefined));
    await this.#refreshing;
  }

  async #load(): Promise<void> {
    const { database, cipher, logger, onLoaded } = this.#options;
    const [config] = await database.sql<{ version: string }[]>`SELECT version FROM webhook_config`;
    const version = config?.version;
    if (version === this.#version) return;
    // Read after its version: rows may be newer than it, never older, and then the next comparison loads again.
    this.#table = await loadRouting(database, cipher, logger);
    this.#version = version;
    onLoaded(this.#table);
    logger.info({ endpoints: this.#table.endpoints.size, teams: this.#table.teams.size }, 'routing.loaded');
  }
}
