import { writeBisecting, type Tx, isDataError, type Database } from '@pulsewire/database';
import type { Consumption, Position } from '@pulsewire/eventlog';
import { type Logger, errorCode, exponentialDelayMs, sleep } from '@pulsewire/kernel';
import { setAside, type PoisonRecord } from '../records/poison.ts';

/**
 * `setAside` for poison records that Postgres refused: the refused ones are stored with the SQLSTATE instead of their text; one that is
 * refused again is only logged. Later positions can be saved in either case.
 */
async function setAsideBisecting(tx: Tx, records: readonly PoisonRecord[], logger: Logger): Promise<void> {
  const refused = await writeBisecting(tx, records, (inner, some) => setAside(inner, some));
  const plain = refused.map(({ item, code }) => ({ ...item, eventId: null, eventType: null, reason: `sqlstate_${code}`, detail: '' }));
  for (const { item, code } of await writeBisecting(tx, plain, (inner, some) => setAside(inner, some)))
    logger.error({ shard: item.shard, sequence: item.offset, errorCode: code }, 'relay.event_set_aside_failed');
}

interface PositionSaverOptions {
  readonly database: Database;
  readonly logger: Logger;
  positions(): Pick<Consumption, 'savePositions' | 'saved'> | undefined;
}

/** Saves the positions of published shards, one transaction at a time; positions noted in the meantime are saved by the next one. */
export class PositionSaver {
  readonly #options: PositionSaverOptions;
  readonly #giveUp = new AbortController();
  #positions = new Map<number, Position>();
  #poison: PoisonRecord[] = [];
  #running: Promise<void> | undefined;

  constructor(options: PositionSaverOptions) {
    this.#options = options;
  }

  note(positions: readonly Position[], poison: readonly PoisonRecord[]): void {
    for (const position of positions) this.#positions.set(position.shard, position);
    this.#poison.push(...poison);
    this.#running ??= this.#run();
  }

  dropShard(shard: number): void {
    this.#positions.delete(shard);
  }

  /** Resolves when everything is saved, or at the signal: then the next owner publishes the rest again. */
  async drain(signal: AbortSignal): Promise<void> {
    const giveUp = () => this.#giveUp.abort();
    if (signal.aborted) giveUp();
    signal.addEventListener('abort', giveUp, { once: true });
    while (this.#running) await this.#running;
    signal.removeEventListener('abort', giveUp);
  }

  async #run(): Promise<void> {
    // Collects everything noted in the same tick.
    await Promise.resolve();
    while ((this.#positions.size > 0 || this.#poison.length > 0) && !this.#giveUp.signal.aborted) {
      const positions = [...this.#positions.values()];
      const poison = this.#poison;
      this.#positions = new Map();
      this.#poison = [];
      if ((await this.#save(positions, poison)) === 'lease_lost') {
        // At least one shard was lost; the others are still ours.
        for (const position of positions)
          await this.#save(
            [position],
            poison.filter(({ shard }) => shard === position.shard),
          );
      }
    }
    // In the same tick as the last check, so that the next `note` starts a new run.
    this.#running = undefined;
  }

  async #save(positions: readonly Position[], poison: readonly PoisonRecord[]): Promise<'saved' | 'lease_lost' | 'given_up'> {
    const { database, logger } = this.#options;
    const log = this.#options.positions();
    if (log === undefined) return 'given_up';
    let isBisecting = false;
    for (let failures = 0; !this.#giveUp.signal.aborted; failures++) {
      try {
        const saved = await database.transaction(async (tx) => {
          if (isBisecting) {
            await setAsideBisecting(tx, poison, logger);
            return this.#saveBisecting(tx, log, positions);
          }
          await setAside(tx, poison);
          await log.savePositions(tx, positions);
          return positions;
        });
        await log.saved(saved);
        return 'saved';
      } catch (error) {
        // The same statement would be refused every time, and block all shards.
        isBisecting ||= isDataError(error);
        if (errorCode(error) === 'lease_lost') return 'lease_lost';
        logger.warn({ errorCode: errorCode(error), failures }, 'relay.positions_save_failed');
        await sleep(exponentialDelayMs(failures, 50, 5000), this.#giveUp.signal);
      }
    }
    return 'given_up';
  }

  /** A position that Postgres refuses is not saved until the next one of its shard; the others are. */
  async #saveBisecting(tx: Tx, log: Pick<Consumption, 'savePositions'>, positions: readonly Position[]): Promise<readonly Position[]> {
    const refused = await writeBisecting(tx, positions, (inner, some) => log.savePositions(inner, some));
    for (const { item, code } of refused)
      this.#options.logger.error({ shard: item.shard, sequence: item.offset, errorCode: code }, 'relay.position_refused');
    const left = new Set(refused.map(({ item }) => item));
    return positions.filter((position) => !left.has(position));
  }
}
