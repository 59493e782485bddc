/** A key that was replaced and still signs until its time is over. */
export interface PreviousKey {
  readonly secret: string;
  readonly expiresAtMs: number;
}

/** Someone who rotates again and again must not make every message carry a row of signatures. */
const previousMax = 4;

/**
 * The keys that still sign beside the new one, the newest first. None of them lasts longer than the overlap that is asked for now:
 * with none, the new key is the only one from this moment on, whatever was replaced before.
 */
export function rotatedKeys(
  keys: { readonly current: string; readonly previous: readonly PreviousKey[]; readonly next: string },
  nowMs: number,
  overlapMs: number,
): readonly PreviousKey[] {
  const endMs = nowMs + overlapMs;
  return [{ secret: keys.current, expiresAtMs: endMs }, ...keys.previous]
    .map(({ secret, expiresAtMs }) => ({ secret, expiresAtMs: Math.min(expiresAtMs, endMs) }))
    .filter(({ secret, expiresAtMs }) => secret !== keys.next && expiresAtMs > nowMs)
    .slice(0, previousMax);
}
