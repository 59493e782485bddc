import type { Raster } from './raster.ts';

/** A pixel this much darker or brighter than each of its neighbours is dust; even a full stop covers several pixels. */
const contrast = 16;

/** Replaces single pixels that differ from all their neighbours by the mean of these. */
export function removeSpecks({ pixels, width, height }: Raster): Raster {
  const clean = Uint8Array.from(pixels);
  for (let y = 1; y < height - 1; y++) {
    for (let at = y * width + 1, end = at + width - 2; at < end; at++) {
      const value = pixels[at]!;
      const left = pixels[at - 1]!;
      const right = pixels[at + 1]!;
      // Most pixels resemble a neighbour beside them.
      const isDark = value + contrast < left && value + contrast < right;
      if (!isDark && !(value > left + contrast && value > right + contrast)) continue;
      let sum = left + right;
      let isAlone = true;
      for (let column = -1; column <= 1; column++) {
        const above = pixels[at - width + column]!;
        const below = pixels[at + width + column]!;
        const nearest = isDark ? Math.min(above, below) - value : value - Math.max(above, below);
        if (nearest <= contrast) isAlone = false;
        sum += above + below;
      }
      if (isAlone) clean[at] = sum >> 3;
    }
  }
  return { pixels: clean, width, height };
}
