import { canonicalUnit } from './units.ts';

const kinds: readonly (readonly [RegExp, string])[] = [
  [/^[kmun]?mol\/|^pmol\/|^m?eq\//, 'substance'],
  [/^[mun]?g\/(?:g|mg)|^mcg\/mg/, 'mass ratio'],
  [/^(?:mc|[kmunpf])?g\//, 'mass'],
  [/^[kmu]?(?:iu|u)\/|^units\//, 'activity'],
  [/^(?:x?10[\^*e]?\(?\d+\)?|cells|k|m|thous[a-z]*|mill[a-z]*)?\/u?l$/, 'count'],
  [/^%$|^percent$/, 'fraction'],
];

/** What a unit measures; undefined for units of other kinds. */
function unitKind(unit: string): string | undefined {
  const plain = (canonicalUnit(unit) ?? unit).toLowerCase().replaceAll(/\s/g, '');
  return kinds.find(([pattern]) => pattern.test(plain))?.[1];
}

/** Whether the same analyte may be reported in both units. LOINC has different codes for mass and substance, but not for mg/dL and g/L. */
export function compareUnits(one: string, other: string): 'same' | 'different' | 'unknown' {
  if ((canonicalUnit(one) ?? one.toLowerCase()) === (canonicalUnit(other) ?? other.toLowerCase())) return 'same';
  const [a, b] = [unitKind(one), unitKind(other)];
  if (a === undefined || b === undefined) return 'unknown';
  return a === b ? 'same' : 'different';
}
