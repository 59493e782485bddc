import { paper, type Raster } from './raster.ts';

/** Rules are often lighter than text. */
const inkMax = 215;
/**
 * Breaks in a rule, in inches, that grain and compression cause. They are less than the gaps between words, or upright between lines of
 * text.
 */
const breaks = { flat: 0.01, upright: 0.026 };

/** A direction on the page: steps between pixels along and across a rule, and the size of the page along and across it. */
interface Direction {
  readonly along: number;
  readonly across: number;
  readonly length: number;
  readonly breadth: number;
  /** Longest break in pixels. */
  readonly breakMax: number;
}

/** Marks every run of ink of at least `lengthMin` pixels. */
function markRuns({ pixels }: Raster, { along, across, length, breadth, breakMax }: Direction, lengthMin: number): Uint8Array {
  const marked = new Uint8Array(pixels.length);
  for (let line = 0; line < breadth; line++) {
    const base = line * across;
    let [start, end] = [-1, -1];
    for (let position = 0; position <= length; position++) {
      if (position < length && (pixels[base + position * along] ?? paper) < inkMax) {
        if (start < 0) start = position;
        end = position;
      } else if (start >= 0 && (position === length || position - end > breakMax)) {
        if (end - start >= lengthMin) for (let on = start; on <= end; on++) marked[base + on * along] = 1;
        start = -1;
      }
    }
  }
  return marked;
}

/**
 * Erases marked runs no thicker than `thicknessMax`; where text crosses a line, the ink is thicker and stays. `crossing` are the runs of
 * the other direction.
 */
function erase(
  source: Raster,
  target: Uint8Array,
  runs: Uint8Array,
  crossing: Uint8Array,
  direction: Direction,
  thicknessMax: number,
): void {
  const { along, across, length, breadth } = direction;
  const isInk = (at: number) => (source.pixels[at] ?? paper) < inkMax && crossing[at] === 0;
  for (let line = 0; line < breadth; line++) {
    for (let position = 0; position < length; position++) {
      const start = line * across + position * along;
      if (runs[start] === 0) continue;
      let [first, last] = [line, line];
      while (first > 0 && line - first <= thicknessMax && isInk(start + (first - 1 - line) * across)) first--;
      while (last < breadth - 1 && last - line <= thicknessMax && isInk(start + (last + 1 - line) * across)) last++;
      if (last - first + 1 > thicknessMax) continue;
      for (let other = Math.max(0, first - 1); other <= Math.min(breadth - 1, last + 1); other++)
        target[start + (other - line) * across] = paper;
    }
  }
}

/** Erases the lines of tables and frames, which OCR reads as characters, from a straight page of `dpi` pixels per inch. */
export function removeRules(raster: Raster, dpi: number): Raster {
  const { width, height } = raster;
  const pixels = Uint8Array.from(raster.pixels);
  const thicknessMax = Math.ceil(dpi * 0.03);
  const flat: Direction = { along: 1, across: width, length: width, breadth: height, breakMax: dpi * breaks.flat };
  const upright: Direction = { along: width, across: 1, length: height, breadth: width, breakMax: dpi * breaks.upright };
  const [horizontal, vertical] = [markRuns(raster, flat, dpi * 0.5), markRuns(raster, upright, dpi * 0.4)];
  erase(raster, pixels, horizontal, vertical, flat, thicknessMax);
  erase(raster, pixels, vertical, horizontal, upright, thicknessMax);
  return { pixels, width, height };
}
