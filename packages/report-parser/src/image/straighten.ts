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

/** Side of the squares, in pixels, that become paper when they are blank, as most of a page is. */
const tile = 16;
/** Brighter pixels are grain of the paper. */
const inkMax = 230;

/** For each tile of a page whether it has ink. */
function inkedTiles({ pixels, width, height }: Raster): { readonly inked: Uint8Array; readonly across: number; readonly down: number } {
  const [across, down] = [Math.ceil(width / tile), Math.ceil(height / tile)];
  const inked = new Uint8Array(across * down);
  for (let y = 0; y < height; y++) {
    const row = Math.floor(y / tile) * across;
    for (let x = 0, at = y * width; x < width; x++, at++) if (pixels[at]! < inkMax) inked[row + Math.floor(x / tile)] = 1;
  }
  return { inked, across, down };
}

/** Turns the page back by `radians` about its centre and enlarges it by `scale` in one step, because each one blurs. */
export function straighten(source: Raster, radians: number, scale: number): Raster {
  const { pixels, width, height } = source;
  const size = { width: Math.round(width * scale), height: Math.round(height * scale) };
  const turned = new Uint8Array(size.width * size.height).fill(paper);
  const [sine, cosine] = [Math.sin(radians) / scale, Math.cos(radians) / scale];
  const fromX = (x: number, y: number) => cosine * (x + 0.5 - size.width / 2) - sine * (y + 0.5 - size.height / 2) + width / 2 - 0.5;
  const fromY = (x: number, y: number) => sine * (x + 0.5 - size.width / 2) + cosine * (y + 0.5 - size.height / 2) + height / 2 - 0.5;
  const { inked, across, down } = inkedTiles(source);
  /** Whether no tile that a square of the turned page is computed from has ink. */
  const isBlank = (left: number, top: number, right: number, bottom: number) => {
    const xs = [fromX(left, top), fromX(right, top), fromX(left, bottom), fromX(right, bottom)];
    const ys = [fromY(left, top), fromY(right, top), fromY(left, bottom), fromY(right, bottom)];
    const [first, last] = [
      Math.max(0, Math.floor((Math.min(...xs) - 2) / tile)),
      Math.min(across - 1, Math.floor((Math.max(...xs) + 3) / tile)),
    ];
    const end = Math.min(down - 1, Math.floor((Math.max(...ys) + 3) / tile));
    for (let row = Math.max(0, Math.floor((Math.min(...ys) - 2) / tile)); row <= end; row++)
      for (let column = first; column <= last; column++) if (inked[row * across + column] === 1) return false;
    return true;
  };
  const turnTile = (firstX: number, firstY: number, endX: number, endY: number) => {
    for (let y = firstY; y < endY; y++) {
      for (let x = firstX; x < endX; x++) {
        const sourceX = fromX(x, y);
        const sourceY = fromY(x, y);
        const left = Math.floor(sourceX);
        const top = Math.floor(sourceY);
        if (left < 1 || top < 1 || left >= width - 2 || top >= height - 2) continue;
        const column = Math.floor((sourceX - left) * phases) * 4;
        const row = Math.floor((sourceY - top) * phases) * 4;
        let sum = 0;
        for (let line = 0, at = (top - 1) * width + left - 1; line < 4; line++, at += width)
          sum +=
            (pixels[at]! * weights[column]! +
              pixels[at + 1]! * weights[column + 1]! +
              pixels[at + 2]! * weights[column + 2]! +
              pixels[at + 3]! * weights[column + 3]!) *
            weights[row + line]!;
        turned[y * size.width + x] = Math.max(0, Math.min(paper, sum + 0.5));
      }
    }
  };
  for (let y = 0; y < size.height; y += tile) {
    for (let x = 0; x < size.width; x += tile) {
      const [endX, endY] = [Math.min(x + tile, size.width), Math.min(y + tile, size.height)];
      if (!isBlank(x, y, endX - 1, endY - 1)) turnTile(x, y, endX, endY);
    }
  }
  return { pixels: turned, ...size };
}
