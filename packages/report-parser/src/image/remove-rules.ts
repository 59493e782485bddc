import { paper, type Raster } from './raster.ts';

/** Rules are often lighter than text. */
const inkMax = 215;
/** Breaks in a rule, in pixels, that grain and compression cause. */
const breakMax = 3;

interface Rule {
  /** Pixels along the rule, and ink across it. */
  readonly lengthMin: number;
  readonly thicknessMax: number;
}

/**
 * Erases long thin lines, because OCR reads them as characters. Where text crosses a line, the ink is thicker than the line and stays.
 * `along` and `across` are the steps between pixels, `length` and `breadth` the size of the page in these directions.
 */
function erase(source: Raster, target: Uint8Array, along: number, across: number, length: number, breadth: number, rule: Rule): void {
  const { pixels } = source;
  const isInk = (at: number) => (pixels[at] ?? paper) < inkMax;
  for (let line = 0; line < breadth; line++) {
    const base = line * across;
    let [start, end] = [-1, -1];
    for (let position = 0; position <= length; position++) {
      if (position < length && isInk(base + position * along)) {
        if (start < 0) start = position;
        end = position;
      } else if (start >= 0 && (position === length || position - end > breakMax)) {
        if (end - start >= rule.lengthMin) for (let on = start; on <= end; on++) eraseAcross(on, line);
        start = -1;
      }
    }
  }

  function eraseAcross(position: number, line: number): void {
    let [first, last] = [line, line];
    const at = (other: number) => position * along + other * across;
    while (first > 0 && line - first <= rule.thicknessMax && isInk(at(first - 1))) first--;
    while (last < breadth - 1 && last - line <= rule.thicknessMax && isInk(at(last + 1))) last++;
    if (last - first + 1 > rule.thicknessMax) return;
    for (let other = Math.max(0, first - 1); other <= Math.min(breadth - 1, last + 1); other++) target[at(other)] = paper;
  }
}

/** Erases the horizontal and vertical lines of tables and frames from a straight page of `dpi` pixels per inch. */
export function removeRules(raster: Raster, dpi: number): Raster {
  const { width, height } = raster;
  const pixels = Uint8Array.from(raster.pixels);
  const thicknessMax = Math.ceil(dpi * 0.03);
  erase(raster, pixels, 1, width, width, height, { lengthMin: dpi * 0.5, thicknessMax });
  erase(raster, pixels, width, 1, height, width, { lengthMin: dpi * 0.4, thicknessMax });
  return { pixels, width, height };
}
