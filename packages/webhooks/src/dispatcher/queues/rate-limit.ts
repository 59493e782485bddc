/** Token bucket: `perSecond` tokens a second, with a capacity of one second's tokens and at least one. */
export class RateLimit {
  #perSecond: number | null = null;
  #tokens = 0;
  #filledAtMs = 0;

  set perSecond(perSecond: number | null) {
    if (perSecond === this.#perSecond) return;
    // A smaller share must not start with the tokens of a larger one, nor a larger share with none.
    this.#tokens =
      perSecond === null ? 0 : this.#perSecond === null ? Math.max(1, perSecond) : Math.min(this.#tokens, Math.max(1, perSecond));
    this.#perSecond = perSecond;
  }

  /** Whole tokens available now; Infinity without a limit. */
  available(nowMs: number): number {
    if (this.#perSecond === null) return Infinity;
    const filled = this.#tokens + (Math.max(0, nowMs - this.#filledAtMs) / 1000) * this.#perSecond;
    this.#tokens = Math.min(Math.max(1, this.#perSecond), filled);
    this.#filledAtMs = nowMs;
    return Math.floor(this.#tokens);
  }

  take(): void {
    this.#tokens -= 1;
  }
}
