import type { TextCell } from '../image/find-cells.ts';
import type { Space } from './find-spaces.ts';

/** Splits a cell at its spaces into words on the same baseline. */
export function splitCell(cell: TextCell, spaces: readonly Space[]): readonly TextCell[] {
  const bounds = [Number.NEGATIVE_INFINITY, ...spaces.map(({ left }) => left), Number.POSITIVE_INFINITY];
  return bounds.slice(1).flatMap((end, index) => {
    const marks = cell.marks.filter(({ left }) => left > (bounds[index] ?? 0) && left < end);
    if (marks.length === 0) return [];
    const place = {
      left: Math.min(...marks.map(({ left }) => left)),
      top: Math.min(...marks.map(({ top }) => top)),
      right: Math.max(...marks.map(({ right }) => right)),
      bottom: Math.max(...marks.map(({ bottom }) => bottom)),
    };
    return [{ ...cell, marks, ...place }];
  });
}
