import type { JsonNode } from '../values/json-node.ts';
import { roundTo } from '../values/numbers.ts';

const metresPer: Readonly<Record<string, number>> = { meters: 1, kilometers: 1000, miles: 1609.344, feet: 0.3048 };

/** A length of MyFitnessPal with its unit, in metres; null when it is missing, a bare number, or in an unknown unit. */
export function readMeasuredLength(measured: JsonNode): number | null {
  const unit = measured.at('unit').value;
  const factor = typeof unit === 'string' && Object.hasOwn(metresPer, unit) ? metresPer[unit] : undefined;
  if (factor === undefined) return null;
  const value = measured.at('value').optional((node) => node.amount());
  return value === null ? null : roundTo(value * factor, 2);
}
