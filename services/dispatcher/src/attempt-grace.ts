/** Kept for recording outcomes, freeing rows and closing connections. */
const closingMs = 5000;

/**
 * How long attempts in progress may go on when the process stops: until their own deadline, so that a slow receiver does not get the same
 * event again after each deployment, but never so long that the process is killed before the outcomes are recorded.
 */
export function attemptGraceMs(config: { readonly timeoutMs: number; readonly shutdownGraceMs: number }): number {
  return Math.max(0, Math.min(config.timeoutMs, config.shutdownGraceMs - closingMs));
}
