import type { TextCell } from '../image/find-cells.ts';
import type { Raster } from '../image/raster.ts';
import type { Space } from './find-spaces.ts';

const inkMax = 205;
/** A dash is at least this long and at most this thick, in heights of characters. */
const [longMin, thickMax] = [0.35, 0.22];
/** A column with ink for this share of the height is an upright stroke. */
const strokeMin = 0.8;
/** An upright stroke of a letter is at most this far from its bar, and this thick, in heights of characters. */
const [strokeReach, strokeThickness] = [0.15, 0.3];
/** Where it is above the baseline. */
const [lowest, highest] = [0.15, 0.65];

/** The horizontal dashes of a cell, also those that touch the digits beside them. */
export function findDashes({ pixels, width }: Raster, { left, right, top, bottom, height, baseline }: TextCell): readonly Space[] {
  const isDash = (x: number) => {
    let [first, last] = [-1, -1];
    for (let y = Math.max(0, top); y <= bottom; y++) {
      if ((pixels[y * width + x] ?? 255) >= inkMax) continue;
      if (first < 0) first = y;
      last = y;
    }
    return first >= 0 && last - first < height * thickMax && first >= baseline - height * highest && last <= baseline - height * lowest;
  };
  const isStroke = (x: number) => {
    let inked = 0;
    for (let y = Math.max(0, baseline - height); y <= baseline; y++) if ((pixels[y * width + x] ?? 255) < inkMax) inked++;
    return inked >= height * strokeMin;
  };
  /** Whether an upright stroke as thin as those of letters stands beside a column, as on both sides of the bar of an H. */
  const isBesideStroke = (from: number, step: 1 | -1) => {
    let x = from;
    while (Math.abs(x - from) <= height * strokeReach && !isStroke(x)) x += step;
    const first = x;
    while (x >= left && x <= right && isStroke(x)) x += step;
    const thickness = Math.abs(x - first);
    return thickness > 0 && thickness <= height * strokeThickness;
  };
  const dashes: Space[] = [];
  for (let x = left, start = -1; x <= right + 1; x++) {
    if (x <= right && isDash(x)) start = start < 0 ? x : start;
    else {
      const isBar = isBesideStroke(start - 1, -1) && isBesideStroke(x, 1);
      if (start >= 0 && x - start >= height * longMin && !isBar) dashes.push({ left: start, right: x - 1 });
      start = -1;
    }
  }
  return dashes;
}

/** Places on both sides of each dash, to read what is between them separately. */
export const aroundDashes = (dashes: readonly Space[]): readonly Space[] =>
  dashes.flatMap(({ left, right }) => [
    { left, right: left },
    { left: right + 1, right: right + 1 },
  ]);
