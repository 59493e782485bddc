import type { Schema } from './schema-nodes.ts';

/** `received`: what older clients send must still be accepted. `sent`: what we send must fit what older clients expect. */
export type Direction = 'received' | 'sent';

const lowest = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'];
const highest = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'];
const exact = ['pattern', 'format', 'multipleOf', 'uniqueItems'];
/** Rarely used and hard to compare: any change of them counts. */
const opaque = ['not', 'if', 'then', 'else', 'propertyNames', 'dependentRequired', 'contains', '$defs'];

const numberOr = (value: unknown, otherwise: number) => (typeof value === 'number' ? value : otherwise);

function isTighter(keyword: string, wide: Schema, tight: Schema): boolean {
  if (lowest.includes(keyword)) return numberOr(tight[keyword], -Infinity) > numberOr(wide[keyword], -Infinity);
  if (highest.includes(keyword)) return numberOr(tight[keyword], Infinity) < numberOr(wide[keyword], Infinity);
  return tight[keyword] !== undefined && tight[keyword] !== wide[keyword];
}

const show = (value: unknown) => (value === undefined ? 'none' : JSON.stringify(value).slice(0, 100));

/** The bounds and other plain keywords in which the newer schema breaks a promise of the older. */
export function compareBounds(older: Schema, newer: Schema, direction: Direction): readonly string[] {
  const changed = [...lowest, ...highest, ...exact].filter((keyword) =>
    direction === 'received' ? isTighter(keyword, older, newer) : isTighter(keyword, newer, older),
  );
  const others = opaque.filter((keyword) => JSON.stringify(older[keyword]) !== JSON.stringify(newer[keyword]));
  return [...changed, ...others].map((keyword) => `${keyword} changed from ${show(older[keyword])} to ${show(newer[keyword])}`);
}
