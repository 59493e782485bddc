import type { Raster } from './raster.ts';

const inkMax = 128;
const pointsMax = 60_000;
/** Steeper pages are photographs at an angle, which lines alone cannot correct. */
const degreesMax = 5;

/** Pixels where ink ends downwards: on straight text, mostly baselines. At most `pointsMax`, evenly spread. */
function lowerEdges({ pixels, width }: Raster): readonly number[] {
  // The last row has no pixels below.
  const end = pixels.length - width;
  let count = 0;
  for (let at = 0; at < end; at++) if (pixels[at]! < inkMax && pixels[at + width]! >= inkMax) count++;
  const step = Math.max(1, Math.ceil(count / pointsMax));
  const found: number[] = [];
  for (let at = 0, index = 0; at < end; at++)
    if (pixels[at]! < inkMax && pixels[at + width]! >= inkMax && index++ % step === 0) found.push(at);
  return found;
}

/** The angle by which the page is turned clockwise, in radians: the one at which the most edges share the fewest lines. */
export function findSkew(raster: Raster): number {
  const points = lowerEdges(raster);
  const columns = Int32Array.from(points, (at) => at % raster.width);
  const rows = Int32Array.from(points, (at) => Math.floor(at / raster.width));
  const reach = Math.ceil(raster.width * Math.tan((degreesMax * Math.PI) / 180));
  const score = (degrees: number) => {
    const slope = Math.tan((degrees * Math.PI) / 180);
    const counts = new Uint32Array(raster.height + 2 * reach + 2);
    for (let at = 0; at < rows.length; at++) counts[Math.round(rows[at]! - columns[at]! * slope) + reach]!++;
    let sum = 0;
    for (const count of counts) sum += count * count;
    return sum;
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
