/** A copy of a body with one broken summary of the same user added to each list, so that a receiver that skips it loses nothing. */
export function breakSummaries(body: object): object {
  if (Array.isArray(body)) return withBroken(body);
  return Object.fromEntries(
    Object.entries(body).map(([key, value]) => [key, Array.isArray(value) ? withBroken(value) : (value as unknown)]),
  );
}

function withBroken(list: readonly unknown[]): unknown[] {
  const sample = list.at(-1);
  if (typeof sample !== 'object' || sample === null || !('userId' in sample) || 'callbackURL' in sample) return [...list];
  const keys = Object.keys(sample).filter((key) => key !== 'userId');
  const broken = Object.fromEntries(keys.map((key, place) => [key, place % 2 === 0 ? 'not a value' : null]));
  return [{ ...broken, userId: sample.userId }, ...list];
}
