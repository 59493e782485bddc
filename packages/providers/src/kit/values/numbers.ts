/** Rounded to `digits` after the point: unit conversion must not leave 5900.000000000001 metres behind. */
export function roundTo(value: number, digits: number): number {
  const factor = 10 ** digits;
  const rounded = Math.round(value * factor) / factor;
  return rounded === 0 ? 0 : rounded;
}
