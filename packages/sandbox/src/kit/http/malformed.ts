/** The same JSON with a control character in the middle, which is invalid inside and outside strings. The length does not change. */
export function tearJson(json: string): string {
  const middle = Math.floor(json.length / 2);
  return `${json.slice(0, middle)}\u0001${json.slice(middle + 1)}`;
}

/**
 * A copy of a response with one broken item added to its longest list, so that a client that skips it loses nothing. Unchanged
 * when it has no list of objects.
 */
export function withBrokenItem(body: object): object {
  const copy = structuredClone(body);
  const longest = listsIn(copy).toSorted((a, b) => b.length - a.length)[0];
  const sample = longest?.[Math.floor(longest.length / 2)];
  if (!longest || !sample) return copy;
  const broken = Object.fromEntries(Object.keys(sample).map((key, place) => [key, place % 2 === 0 ? 'not a value' : null]));
  longest.splice(Math.floor(longest.length / 2), 0, broken);
  return copy;
}

function listsIn(value: unknown): Record<string, unknown>[][] {
  if (Array.isArray(value)) {
    const isList = value.length > 0 && value.every((item) => typeof item === 'object' && item !== null);
    return [...(isList ? [value as Record<string, unknown>[]] : []), ...value.slice(0, 10).flatMap(listsIn)];
  }
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(listsIn) : [];
}
