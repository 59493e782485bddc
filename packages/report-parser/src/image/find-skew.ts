import type { Raster } from './raster.ts';

const inkMax = 128;
const pointsMax = 60_000;
/** Steeper pages are photographs at an angle, which lines alone cannot correct. */
const degreesMax = 5;

/** Where ink ends downwards: on straight text, mostly baselines. */
function lowerEdges({ pixels, width, height }: Raster): readonly (readonly [x: number, y: number])[] {
  const found: [number, number][] = [];
  for (let y = 0; y < height - 1; y++) {
    for (let x = 0; x < width; x++) {
      const at = y * width + x;
      if ((pixels[at] ?? 255) < inkMax && (pixels[at + width] ?? 255) >= inkMax) found.push([x, y]);
    }
  }
  const step = Math.ceil(found.length / pointsMax);
  return step <= 1 ? found : found.filter((_, index) => index % step === 0);
}

/** The angle by which the page is turned clockwise, in radians: the one at which the most edges share the fewest lines. */
export function findSkew(raster: Raster): number {
  const points = lowerEdges(raster);
  const reach = Math.ceil(raster.width * Math.tan((degreesMax * Math.PI) / 180));
  const score = (degrees: number) => {
    const slope = Math.tan((degrees * Math.PI) / 180);
    const counts = new Uint32Array(raster.height + 2 * reach + 2);
    for (const [x, y] of points) {
      const line = Math.round(y - x * slope) + reach;
      counts[line] = (counts[line] ?? 0) + 1;
    }
    return counts.reduce((sum, count) => sum + count * count, 0);
  };
  const best = (from: number, to: number, step: number) => {
    let [found, most] = [0, -1];
    for (let degrees = from; degrees <= to + step / 2; degrees += step) {
      const reached = score(degrees);
      if (reached > most) [found, most] = [degrees, reached];
    }
    return found;
  };
  const rough = best(-degreesMax, degreesMax, 0.1);
  return (best(rough - 0.1, rough + 0.1, 0.02) * Math.PI) / 180;
}
