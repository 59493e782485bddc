/** A misreading changes at most this share of the characters of a name. */
const changedMax = 0.17;

/** The number of characters to change, insert or delete to turn one text into the other; undefined when it is more than `most`. */
function editDistance(one: string, other: string, most: number): number | undefined {
  if (Math.abs(one.length - other.length) > most) return undefined;
  const row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let at = 0; at < one.length; at++) {
    let diagonal = at;
    let least = (row[0] = at + 1);
    for (let to = 1; to <= other.length; to++) {
      const above = row[to] ?? 0;
      const changed = diagonal + (one[at] === other[to - 1] ? 0 : 1);
      row[to] = Math.min(changed, above + 1, (row[to - 1] ?? 0) + 1);
      diagonal = above;
      least = Math.min(least, row[to] ?? 0);
    }
    if (least > most) return undefined;
  }
  const distance = row[other.length] ?? 0;
  return distance <= most ? distance : undefined;
}

/**
 * How alike two names are spelled without their spaces, from 0 to 1; 0 when they differ in more characters than a misreading explains.
 * Names of less than six characters must be equal: `FT3` is not a misread `FT4`. Digits distinguish analytes, so they must be equal too.
 */
export function spellingLikeness(one: string, other: string): number {
  if (one === other) return 1;
  const length = Math.max(one.length, other.length);
  if (Math.min(one.length, other.length) < 6 || one.replaceAll(/\D/g, '') !== other.replaceAll(/\D/g, '')) return 0;
  const distance = editDistance(one, other, Math.floor(length * changedMax));
  return distance === undefined ? 0 : 1 - distance / length;
}
