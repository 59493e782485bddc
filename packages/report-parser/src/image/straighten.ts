import { paper, type Raster } from './raster.ts';

/** Positions between two pixels are rounded to this fraction. */
const phases = 64;

/** For each phase the weights of four neighbouring pixels: cubic convolution, which keeps edges sharp. */
const weights = Float32Array.from({ length: phases * 4 }, (_, index) => {
  const part = Math.floor(index / 4) / phases;
  const [square, cube] = [part * part, part * part * part];
  const of = [-part + 2 * square - cube, 2 - 5 * square + 3 * cube, part + 4 * square - 3 * cube, cube - square];
  return (of[index % 4] ?? 0) / 2;
});

/** Turns the page back by `radians` about its centre and enlarges it by `scale` in one step, because each one blurs. */
export function straighten({ pixels, width, height }: Raster, radians: number, scale: number): Raster {
  const size = { width: Math.round(width * scale), height: Math.round(height * scale) };
  const turned = new Uint8Array(size.width * size.height).fill(paper);
  const [sine, cosine] = [Math.sin(radians) / scale, Math.cos(radians) / scale];
  for (let y = 0; y < size.height; y++) {
    const dy = y + 0.5 - size.height / 2;
    for (let x = 0; x < size.width; x++) {
      const dx = x + 0.5 - size.width / 2;
      const fromX = cosine * dx - sine * dy + width / 2 - 0.5;
      const fromY = sine * dx + cosine * dy + height / 2 - 0.5;
      const left = Math.floor(fromX);
      const top = Math.floor(fromY);
      if (left < 1 || top < 1 || left >= width - 2 || top >= height - 2) continue;
      const across = Math.floor((fromX - left) * phases) * 4;
      const down = Math.floor((fromY - top) * phases) * 4;
      let sum = 0;
      for (let row = 0; row < 4; row++) {
        const at = (top + row - 1) * width + left - 1;
        let line = 0;
        for (let column = 0; column < 4; column++) line += pixels[at + column]! * weights[across + column]!;
        sum += line * weights[down + row]!;
      }
      turned[y * size.width + x] = Math.max(0, Math.min(paper, sum + 0.5));
    }
  }
  return { pixels: turned, ...size };
}
