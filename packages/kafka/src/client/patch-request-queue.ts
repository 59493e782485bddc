import { createRequire } from 'node:module';

/** The part of kafkajs' request queue that the patch touches (kafkajs 2.2.4, src/network/requestQueue). */
interface RequestQueue {
  throttleCheckTimeoutId: NodeJS.Timeout | null;
  throttledUntil: number;
  readonly pending: readonly unknown[];
  checkPendingRequests(): void;
}

const recheckMs = 10;

/**
 * kafkajs 2.2.4 re-arms a timer with a negative delay for ever: some 850 timers a second and 4 % of a core for each idle connection.
 * With this it looks again only while requests wait. Needs to run before the first connection; running it twice does no harm.
 */
export function patchRequestQueue(): void {
  // Not an import: the file is not part of the typed interface, and it must be the very copy that kafkajs itself loads.
  const queue = createRequire(import.meta.url)('kafkajs/src/network/requestQueue') as {
    prototype: RequestQueue & { scheduleCheckPendingRequests(): void };
  };
  queue.prototype.scheduleCheckPendingRequests = function (this: RequestQueue) {
    if (this.throttleCheckTimeoutId || this.pending.length === 0) return;
    const waitMs = this.throttledUntil - Date.now();
    this.throttleCheckTimeoutId = setTimeout(
      () => {
        this.throttleCheckTimeoutId = null;
        this.checkPendingRequests();
      },
      waitMs > 0 ? waitMs : recheckMs,
    );
  };
}
