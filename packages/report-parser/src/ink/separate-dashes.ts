import type { TextCell } from '../image/find-cells.ts';
import { findMarks, type Mark } from '../image/find-marks.ts';
import { paper, type Raster } from '../image/raster.ts';
import { findDashes } from './find-dashes.ts';

/** Columns that are erased at each end of a dash. */
const erased = 2;
/** Smaller marks are dust. */
const areaMin = 4;

/** Erases the ends of dashes that touch the digits beside them, in place on the page, so that each digit is a separate mark. */
export function separateDashes(page: Raster, cell: TextCell): TextCell {
  const touching = findDashes(page, cell).filter(({ left, right }) =>
    cell.marks.some((mark) => mark.left <= left && mark.right >= right && mark.right - mark.left > right - left + cell.height * 0.2),
  );
  if (touching.length === 0) return cell;
  for (const { left, right } of touching)
    for (let y = cell.top; y <= cell.bottom; y++) {
      page.pixels.fill(paper, y * page.width + left, y * page.width + left + erased);
      page.pixels.fill(paper, y * page.width + right + 1 - erased, y * page.width + right + 1);
    }
  const [width, height] = [cell.right - cell.left + 1, cell.bottom - cell.top + 1];
  const pixels = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    const from = (cell.top + y) * page.width + cell.left;
    pixels.set(page.pixels.subarray(from, from + width), y * width);
  }
  const moved = ({ left, right, top, bottom, area }: Mark): Mark => ({
    left: left + cell.left,
    right: right + cell.left,
    top: top + cell.top,
    bottom: bottom + cell.top,
    area,
  });
  return {
    ...cell,
    marks: findMarks({ pixels, width, height })
      .filter(({ area }) => area >= areaMin)
      .map(moved)
      .toSorted((a, b) => a.left - b.left),
  };
}
