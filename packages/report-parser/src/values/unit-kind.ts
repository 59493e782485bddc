import { canonicalUnit } from './units.ts';

const kinds: readonly (readonly [RegExp, string])[] = [
  [/^m?mol\/mol$/, 'fraction of moles'],
  [/^[kmunp]?(?:mol|eq)\//, 'substance'],
  [/^[mun]?g\/(?:g|mg|mmol)|^mcg\/mg/, 'mass ratio'],
  [/^(?:mc|[kmunpf])?g\//, 'mass'],
  [/^[kmu]?(?:iu|u)\/|^units\//, 'activity'],
  [/^(?:x?10[\^*e]?\(?\d+\)?|cells|k|m|thous[a-z]*|mill[a-z]*|lakhs?)?\/(?:u?l|mm3|cumm)$/, 'count'],
  [/^%$|^percent$/, 'fraction'],
  [/^fl$/, 'cell volume'],
  [/^pg$/, 'cell mass'],
  [/^mm\/h/, 'sedimentation'],
  [/^ml\/min\/1\.73/, 'clearance of the body surface'],
  [/^ml\/min$/, 'clearance'],
];
/** What a unit is a unit of: half of it is another quantity. */
const qualifiers = /\s*\b(?:feu|ddu)$/;
const thousandths: Readonly<Record<string, number>> = { k: -1, m: 1, u: 2, n: 3, p: 4 };

function plainUnit(unit: string): string {
  return (canonicalUnit(unit) ?? unit).toLowerCase();
}

/** What a unit measures; undefined for units of other kinds. */
export function unitKind(unit: string): string | undefined {
  const plain = plainUnit(unit).replace(qualifiers, '').replaceAll(/\s/g, '');
  return kinds.find(([pattern]) => pattern.test(plain))?.[1];
}

/** How many factors of a thousand lie between two units of substance: a particle number in nmol/L is no concentration in mmol/L. */
function stepsBetween(one: string, other: string): number {
  const steps = (unit: string) => thousandths[/^([kmunp])(?:mol|eq)/.exec(plainUnit(unit))?.[1] ?? ''] ?? 0;
  return Math.abs(steps(one) - steps(other));
}

/** Whether the same analyte may be reported in both units. LOINC has different codes for mass and substance, but not for mg/dL and g/L. */
export function compareUnits(one: string, other: string): 'same' | 'different' | 'unknown' {
  const [first, second] = [plainUnit(one), plainUnit(other)];
  if (first === second) return 'same';
  const [a, b] = [unitKind(one), unitKind(other)];
  if (a === undefined || b === undefined) return 'unknown';
  if (a !== b) return 'different';
  const [left, right] = [first, second].map((unit) => qualifiers.exec(unit)?.[0]?.trim() ?? '');
  if (left !== right) return left === '' || right === '' ? 'unknown' : 'different';
  const steps = a === 'substance' ? stepsBetween(one, other) : 0;
  return steps > 1 ? 'different' : steps === 1 ? 'unknown' : 'same';
}
