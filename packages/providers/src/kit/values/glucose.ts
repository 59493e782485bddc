import { roundTo } from './numbers.ts';

/** mg/dL per mmol/L of glucose. */
const mgPerMmol = 18.0182;

/** mg/dL to mmol/L. */
export function toMillimoles(mgPerDl: number): number {
  return roundTo(mgPerDl / mgPerMmol, 4);
}
