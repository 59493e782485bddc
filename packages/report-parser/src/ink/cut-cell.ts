import type { TextCell } from '../image/find-cells.ts';
import type { Space } from './find-spaces.ts';
import { paper, type Raster } from '../image/raster.ts';

/** Pixels around a cell that contain its soft edges. */
const edge = 3;
/** Spaces are widened by this share of the height of characters, because the engine overlooks narrow ones. */
const widening = 0.35;

export interface CutCell {
  readonly image: Raster;
  /** The position on the page of the image's first row. */
  readonly top: number;
  /** The position on the page of a column of the image. */
  readonly toPage: (column: number) => number;
}

/** Copies a cell onto white paper with a margin, and widens its spaces. */
export function cutCell(page: Raster, cell: TextCell, spaces: readonly Space[] = []): CutCell {
  const margin = Math.round(cell.height * 0.5);
  const added = Math.round(cell.height * widening);
  const [left, top] = [cell.left - margin, cell.top - margin];
  const width = cell.right - cell.left + 1 + 2 * margin + spaces.length * added;
  const height = cell.bottom - cell.top + 1 + 2 * margin;
  const pixels = new Uint8Array(width * height).fill(paper);
  const breaks = spaces.map((space) => (space.left + space.right) >> 1);
  const bounds = [Math.max(0, cell.left - edge), ...breaks, Math.min(page.width, cell.right + edge + 1)];
  for (let y = Math.max(0, cell.top - edge); y <= Math.min(page.height - 1, cell.bottom + edge); y++) {
    for (let part = 0; part + 1 < bounds.length; part++) {
      const [from = 0, to = 0] = [bounds[part], bounds[part + 1]];
      pixels.set(page.pixels.subarray(y * page.width + from, y * page.width + to), (y - top) * width + from - left + part * added);
    }
  }
  const toPage = (column: number) => {
    const parts = breaks.filter((at, index) => column - index * added + left >= at + added / 2).length;
    return column + left - parts * added;
  };
  return { image: { pixels, width, height }, top, toPage };
}

const inkMax = 140;

/** The same image in black and white, which separates characters that blur joins. */
export const withoutGrey = ({ pixels, ...size }: Raster): Raster => ({
  ...size,
  pixels: pixels.map((value) => (value < inkMax ? 0 : paper)),
});
