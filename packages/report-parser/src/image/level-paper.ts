import { paper, type Raster } from './raster.ts';

/** Side of the squares, in pixels, whose paper is measured separately. */
const tile = 64;
/** A darker square is a picture or a coloured bar, not paper. */
const paperMin = 110;
/** Ink becomes black and paper white with this many standard deviations of the grain to spare. */
const grains = 1.5;

interface Level {
  readonly grey: number;
  readonly grain: number;
}

/** Grey and grain of the paper: the median of a square, and the spread of what is brighter, which contains no ink. */
function levelOf({ pixels, width, height }: Raster, left: number, top: number): Level {
  const counts = new Uint32Array(256);
  const [right, bottom] = [Math.min(left + tile, width), Math.min(top + tile, height)];
  const total = (right - left) * (bottom - top);
  for (let y = top; y < bottom; y++) for (let at = y * width + left; at < y * width + right; at++) counts[pixels[at]!]!++;
  const at = (share: number) => {
    let seen = 0;
    return counts.findIndex((count) => (seen += count) >= total * share);
  };
  const grey = at(0.6);
  return { grey, grain: Math.max(0, at(0.9) - grey) };
}

/** Makes paper white and keeps ink dark, so that shadows, tinted rows and grain disappear. */
export function levelPaper(raster: Raster): Raster {
  const { pixels, width, height } = raster;
  const levelled = new Uint8Array(pixels.length);
  for (let top = 0; top < height; top += tile) {
    for (let left = 0; left < width; left += tile) {
      const { grey, grain } = levelOf(raster, left, top);
      const white = grey < paperMin ? paper : Math.max(paperMin, grey - grain * grains);
      const levels = Uint8Array.from({ length: 256 }, (_, value) => Math.min(paper, Math.round((value * paper) / white)));
      const right = Math.min(left + tile, width);
      for (let y = top; y < Math.min(top + tile, height); y++)
        for (let at = y * width + left; at < y * width + right; at++) levelled[at] = levels[pixels[at]!]!;
    }
  }
  return { pixels: levelled, width, height };
}
