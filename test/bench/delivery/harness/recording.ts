/** What an endpoint has seen since the last reset. */
export interface Summary {
  readonly endpoint: string;
  readonly requests: number;
  /** Different events that got a 2xx response. */
  readonly taken: number;
  /** Requests for events that had already been accepted. */
  readonly repeats: number;
  /** Accepted requests for events from before the reset: retries that became due. */
  readonly older: number;
  /** Epoch milliseconds, 0 when nothing was accepted. */
  readonly firstMs: number;
  readonly lastMs: number;
}

/** Arrivals at one endpoint by the event's number, in typed arrays: millions of objects would burden the garbage collector. */
export class Recording {
  readonly #base: number;
  #takenAt = new Float64Array(4096);
  #sightings = new Uint8Array(4096);
  #requests = 0;
  #taken = 0;
  #repeats = 0;
  #older = 0;
  #firstMs = 0;
  #lastMs = 0;

  constructor(base: number) {
    this.#base = base;
  }

  sightings(number: number): number {
    return this.#sightings[number - this.#base] ?? 0;
  }

  seen(number: number): void {
    this.#requests += 1;
    const index = this.#indexOf(number);
    if (index >= 0) this.#sightings[index] = Math.min(255, (this.#sightings[index] ?? 0) + 1);
  }

  taken(number: number, atMs: number): void {
    const index = this.#indexOf(number);
    if (index < 0) {
      this.#older += 1;
      return;
    }
    if (this.#takenAt[index] !== 0) {
      this.#repeats += 1;
      return;
    }
    this.#takenAt[index] = atMs;
    this.#taken += 1;
    if (this.#firstMs === 0) this.#firstMs = atMs;
    this.#lastMs = atMs;
  }

  arrivals(): Float64Array {
    return this.#takenAt;
  }

  summary(endpoint: string): Summary {
    return {
      endpoint,
      requests: this.#requests,
      taken: this.#taken,
      repeats: this.#repeats,
      older: this.#older,
      firstMs: this.#firstMs,
      lastMs: this.#lastMs,
    };
  }

  #indexOf(number: number): number {
    const index = number - this.#base;
    if (index >= this.#takenAt.length) {
      const length = Math.max(index + 1, this.#takenAt.length * 2);
      const [takenAt, sightings] = [new Float64Array(length), new Uint8Array(length)];
      takenAt.set(this.#takenAt);
      sightings.set(this.#sightings);
      this.#takenAt = takenAt;
      this.#sightings = sightings;
    }
    return index;
  }
}
