/** The number of single-character edits (and swaps of neighbours) between two texts, counted up to `limit`. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = (previous[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      let best = Math.min((previous[j] as number) + 1, (current[j - 1] as number) + 1, substitution);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwap) best = Math.min(best, (beforePrevious[j - 2] as number) + 1);
      current.push(best);
    }
    beforePrevious = previous;
    previous = current;
  }
  return previous[b.length] as number;
}

const typoDistanceMax = 2;
// HOST is two edits away from HOME, so only longer names are reported as typos.
const typoLengthMin = 8;

/**
 * Environment variables that no setting reads and that look like a typo of one, each with the probably intended setting.
 */
export function findTypos(known: ReadonlySet<string>, environmentNames: readonly string[]): { name: string; meant: string }[] {
  const ours = [...known].filter((name) => name.length >= typoLengthMin && name.includes('_'));
  const typos: { name: string; meant: string }[] = [];
  for (const name of environmentNames) {
    if (known.has(name) || name.length < typoLengthMin - typoDistanceMax) continue;
    const meant = ours.find((candidate) => {
      const isNumbered = name.replaceAll(/\d/g, '') === candidate.replaceAll(/\d/g, '');
      return !isNumbered && editDistance(name, candidate, typoDistanceMax) <= typoDistanceMax;
    });
    if (meant !== undefined) typos.push({ name, meant });
  }
  return typos;
}
