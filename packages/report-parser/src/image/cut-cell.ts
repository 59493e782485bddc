import type { TextCell } from './find-cells.ts';
import { paper, type Raster } from './raster.ts';

/** Pixels around a cell that contain its soft edges. */
const edge = 3;

/** Copies a cell onto white paper with a margin. Returns the position of its corner on the page. */
export function cutCell(page: Raster, cell: TextCell): { readonly image: Raster; readonly left: number; readonly top: number } {
  const margin = Math.round(cell.height * 0.5);
  const [left, top] = [cell.left - margin, cell.top - margin];
  const [width, height] = [cell.right - cell.left + 1 + 2 * margin, cell.bottom - cell.top + 1 + 2 * margin];
  const pixels = new Uint8Array(width * height).fill(paper);
  const [from, to] = [Math.max(0, cell.left - edge), Math.min(page.width, cell.right + edge + 1)];
  for (let y = Math.max(0, cell.top - edge); y <= Math.min(page.height - 1, cell.bottom + edge); y++)
    pixels.set(page.pixels.subarray(y * page.width + from, y * page.width + to), (y - top) * width + from - left);
  return { image: { pixels, width, height }, left, top };
}
