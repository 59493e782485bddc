/** A bucket of tokens: `perSecond` a second, at most a second's worth saved up. */
export class RateLimit {
  #perSecond: number | null = null;
  #tokens = 0;
  #filledAtMs = 0;

  set perSecond(perSecond: number | null) {
    if (perSecond === this.#perSecond) return;
    this.#perSecond = perSecond;
    this.#tokens = perSecond ?? 0;
  }

  /** Whole tokens there are now; Infinity without a limit. */
  available(nowMs: number): number {
    if (this.#perSecond === null) return Infinity;
    this.#tokens = Math.min(this.#perSecond, this.#tokens + (Math.max(0, nowMs - this.#filledAtMs) / 1000) * this.#perSecond);
    this.#filledAtMs = nowMs;
    return Math.floor(this.#tokens);
  }

  take(): void {
    this.#tokens -= 1;
  }
}
