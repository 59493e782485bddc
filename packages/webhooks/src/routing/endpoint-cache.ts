import type { Logger } from '@pulsewire/kernel';
import type { Cipher, Database } from '@pulsewire/database';
import { loadEndpointIds, loadEndpoints, loadHiddenUsers, loadTeams } from './load-routing.ts';
import { RoutingTable } from './routing-table.ts';

export interface EndpointCacheOptions {
  readonly database: Database;
  readonly cipher: Cipher;
  readonly logger: Logger;
  /** Called after each load with what is new. */
  onLoaded(table: RoutingTable): void;
}

interface Versions {
  version: string;
  removed_at_version: string;
  teams_at_version: string;
  users_at_version: string;
}

/**
 * The routing table in memory. One number in the database, raised by every change to endpoints and team switches and by deletions of users,
 * shows whether it is current. Comparing it after reading events and before routing them guarantees that no event misses an endpoint
 * created before it, and that none is sent that was committed after the deletion of its user. Rows carry the number of their last change,
 * so only newer rows are read.
 */
export class EndpointCache {
  readonly table = new RoutingTable();
  readonly #options: EndpointCacheOptions;
  #version = '-1';
  #refreshing: Promise<void> | undefined;

  constructor(options: EndpointCacheOptions) {
    this.#options = options;
  }

  /** Updates the table to what is committed now. Throws database errors, because routing needs a current table. */
  async refresh(): Promise<void> {
    // A refresh in progress may have read before the caller's events were committed, so its result is not enough.
    await this.#refreshing?.catch(() => {});
    this.#refreshing ??= this.#load().finally(() => (this.#refreshing = undefined));
    await this.#refreshing;
  }

  async #load(): Promise<void> {
    const { database, cipher, logger, onLoaded } = this.#options;
    const [config] = await database.sql<
      Versions[]
    >`SELECT version, removed_at_version, teams_at_version, users_at_version FROM webhook_config`;
    if (config === undefined || config.version === this.#version) return;
    const known = BigInt(this.#version);
    const isFirst = known < 0n;
    // Rows are read after the version, so they may be newer but never older; the next comparison then reloads them.
    const changed = await loadEndpoints(database, this.#version, cipher, logger);
    const ids = !isFirst && BigInt(config.removed_at_version) > known ? await loadEndpointIds(database) : null;
    const teams = !isFirst && BigInt(config.teams_at_version) > known ? await loadTeams(database, [...this.table.teams.keys()]) : [];
    const users = BigInt(config.users_at_version) > known ? await loadHiddenUsers(database, this.#version) : new Map<string, boolean>();
    this.table.apply(changed);
    this.table.applyUsers(users);
    if (ids !== null) this.table.keepOnly(ids);
    this.table.applyTeams(teams);
    this.#version = config.version;
    onLoaded(this.table);
    logger.info({ changed: changed.length, endpoints: this.table.endpoints.size, teams: this.table.teams.size }, 'routing.loaded');
  }
}
