import type { Raster } from './raster.ts';

/** A pixel this much darker or brighter than each of its neighbours is dust; even a full stop covers several pixels. */
const contrast = 16;

/** Replaces single pixels that differ from all their neighbours by the mean of these. */
export function removeSpecks({ pixels, width, height }: Raster): Raster {
  const clean = Uint8Array.from(pixels);
  const around = [-width - 1, -width, -width + 1, -1, 1, width - 1, width, width + 1];
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++) {
      const at = y * width + x;
      const value = pixels[at] ?? 0;
      let [least, most, sum] = [255, 0, 0];
      for (const step of around) {
        const neighbour = pixels[at + step] ?? 0;
        if (neighbour < least) least = neighbour;
        if (neighbour > most) most = neighbour;
        sum += neighbour;
      }
      if (value + contrast < least || value > most + contrast) clean[at] = sum >> 3;
    }
  }
  return { pixels: clean, width, height };
}
