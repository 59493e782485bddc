const familyStart = '# HELP ';

/**
 * Joins texts in the format of Prometheus into one, in which each metric has all of its series in one group. The texts must have different
 * series: those of workers have a label with their number.
 */
export function mergeExpositions(texts: readonly string[]): string {
  const families = new Map<string, string[]>();
  for (const text of texts) {
    let family: string[] | undefined;
    for (const line of text.split('\n')) {
      if (line.startsWith(familyStart)) {
        const known = families.get(line);
        family = known ?? [line];
        if (!known) families.set(line, family);
      } else if (line.startsWith('#')) {
        if (family && !family.includes(line)) family.push(line);
      } else if (line !== '') family?.push(line);
    }
  }
  return `${[...families.values()].map((lines) => lines.join('\n')).join('\n\n')}\n`;
}
