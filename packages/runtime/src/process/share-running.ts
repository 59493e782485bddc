/**
 * A function whose concurrent callers share one run: for work that gives all of them the same result, and of which many at once would occupy
 * the process.
 */
export function shareRunning<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | null = null;
  return () => {
    running ??= work().finally(() => {
      running = null;
    });
    return running;
  };
}
