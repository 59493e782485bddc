import type { Random } from './random.ts';

/**
 * Values of a blood count by LOINC code that belong together: red cell indices follow from cells, hemoglobin and hematocrit, and the shares of
 * white cells add to 100. A parser may check that.
 */
export function drawBlood(random: Random): ReadonlyMap<string, number> {
  const [cells, volume, concentration] = [random.between(3.9, 6), random.between(74, 101), random.between(30.5, 36.5)];
  const hematocrit = (cells * volume) / 10;
  const hemoglobin = (hematocrit * concentration) / 100;
  const shares = [
    ['736-9', random.integer(12, 50)],
    ['5905-5', random.integer(3, 13)],
    ['713-8', random.integer(0, 7)],
    ['706-2', random.integer(0, 2)],
  ] as const;
  const others = shares.reduce((sum, [, share]) => sum + share, 0);
  return new Map([
    ['789-8', cells],
    ['718-7', hemoglobin],
    ['4544-3', hematocrit],
    ['787-2', volume],
    ['785-6', (hemoglobin / cells) * 10],
    ['786-4', concentration],
    ['770-8', 100 - others],
    ...shares,
  ]);
}
