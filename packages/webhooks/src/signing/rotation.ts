/** A replaced key, which signs until it expires. */
export interface PreviousKey {
  readonly secret: string;
  readonly expiresAtMs: number;
}

/** Caps the signatures of a message when a team rotates its key repeatedly. */
const previousMax = 4;

/**
 * The replaced keys that still sign beside the new one, newest first. None outlives the overlap requested now: with an overlap of zero only
 * the new key signs, even if earlier rotations had a longer overlap.
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
