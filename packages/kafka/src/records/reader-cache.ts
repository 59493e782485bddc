import { errorCode, type Clock } from '@pulsewire/kernel';
import { createReader, type RecordReader } from '../avro/read-record.ts';
import type { Registry } from './schema-registry.ts';

const retryAfterMs = 15_000;

/** Readers by schema id. A failed request is retried after a while, not for every record. */
export class ReaderCache {
  readonly #registry: Pick<Registry, 'schemaOf'>;
  readonly #clock: Clock;
  readonly #readers = new Map<number, RecordReader>();
  readonly #failedAtMs = new Map<number, number>();
  #silentSinceMs = Number.NEGATIVE_INFINITY;

  constructor(registry: Pick<Registry, 'schemaOf'>, clock: Clock) {
    this.#registry = registry;
    this.#clock = clock;
  }

  /** The reader, if it is cached. */
  peek(schemaId: number): RecordReader | undefined {
    return this.#readers.get(schemaId);
  }

  /** The reader, or null when its schema is currently unavailable. */
  async find(schemaId: number): Promise<RecordReader | null> {
    const known = this.#readers.get(schemaId);
    if (known !== undefined) return known;
    const nowMs = this.#clock.monotonicMs();
    const failedAtMs = this.#failedAtMs.get(schemaId);
    if (failedAtMs !== undefined && nowMs - failedAtMs < retryAfterMs) return null;
    // A hanging registry costs seconds per request: with many types in a batch it would block the reader for minutes.
    if (nowMs - this.#silentSinceMs < retryAfterMs) return null;
    try {
      const reader = createReader(await this.#registry.schemaOf(schemaId));
      this.#readers.set(schemaId, reader);
      this.#failedAtMs.delete(schemaId);
      return reader;
    } catch (error) {
      if (errorCode(error) === 'registry_unavailable') this.#silentSinceMs = this.#clock.monotonicMs();
      // Ids come from outside, so the cache of failures is bounded.
      if (this.#failedAtMs.size > 1000) this.#failedAtMs.clear();
      this.#failedAtMs.set(schemaId, nowMs);
      return null;
    }
  }
}
