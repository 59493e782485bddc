/** How stored values differ from the recording. */
export interface Difference {
  readonly compared: number;
  readonly wrong: number;
  readonly missing: number;
  readonly invented: number;
}

/** Both by instant; values may differ by rounding. */
export function compare(expected: ReadonlyMap<number, number>, stored: ReadonlyMap<number, number>, tolerance = 0): Difference {
  let wrong = 0;
  let missing = 0;
  for (const [ms, value] of expected) {
    const found = stored.get(ms);
    if (found === undefined) missing += 1;
    else if (Math.abs(found - value) > tolerance) wrong += 1;
  }
  const invented = [...stored.keys()].filter((ms) => !expected.has(ms)).length;
  return { compared: expected.size, wrong, missing, invented };
}
