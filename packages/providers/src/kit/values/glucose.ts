import { roundTo } from './numbers.ts';

/** Milligrams a decilitre in a millimole a litre of glucose. */
const mgPerMmol = 18.0182;

/** mg/dL to mmol/L. */
export function toMillimoles(mgPerDl: number): number {
  return roundTo(mgPerDl / mgPerMmol, 4);
}
