/** A wake-up that is kept until the next wait. */
export class WakeSignal {
  #isSet = false;
  #wakeWaiter: (() => void) | null = null;

  set(): void {
    this.#isSet = true;
    this.#wakeWaiter?.();
  }

  /** Resolves at the next `set` (immediately when one occurred since the last wait), or after `ms`. */
  async wait(ms: number): Promise<void> {
    if (!this.#isSet) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        this.#wakeWaiter = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.#isSet = false;
    this.#wakeWaiter = null;
  }
}
