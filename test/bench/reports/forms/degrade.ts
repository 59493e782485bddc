import type { Random } from '../model/random.ts';
import type { Picture } from './render.ts';

/** Defects that scanner and paper add to a page. */
export interface Damage {
  readonly degrees: number;
  /** Standard deviation of the grain, on the scale of 0 to 255. */
  readonly grain: number;
  /** Fraction of pixels that are dust, dark or bright. */
  readonly dust: number;
  /** Grey value of the paper, 255 for white. */
  readonly paper: number;
  readonly blurred: boolean;
}

/** Rotates about the centre; uncovered corners become paper. */
function rotate({ pixels, width, height }: Picture, degrees: number): Uint8Array {
  const angle = (degrees * Math.PI) / 180;
  const [sine, cosine] = [Math.sin(angle), Math.cos(angle)];
  const turned = new Uint8Array(width * height).fill(255);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [dx, dy] = [x - width / 2, y - height / 2];
      const [fromX, fromY] = [cosine * dx + sine * dy + width / 2, -sine * dx + cosine * dy + height / 2];
      const [left, top] = [Math.floor(fromX), Math.floor(fromY)];
      if (left < 0 || top < 0 || left >= width - 1 || top >= height - 1) continue;
      const [alongX, alongY] = [fromX - left, fromY - top];
      const at = top * width + left;
      const upper = (pixels[at] ?? 255) * (1 - alongX) + (pixels[at + 1] ?? 255) * alongX;
      const lower = (pixels[at + width] ?? 255) * (1 - alongX) + (pixels[at + width + 1] ?? 255) * alongX;
      turned[y * width + x] = upper * (1 - alongY) + lower * alongY;
    }
  }
  return turned;
}

/** The mean of each pixel and its neighbours, the pixel itself counted four times. */
function blur(pixels: Uint8Array, width: number): Uint8Array {
  const soft = Uint8Array.from(pixels);
  for (let at = width + 1; at < pixels.length - width - 1; at++) {
    const around = (pixels[at - 1] ?? 0) + (pixels[at + 1] ?? 0) + (pixels[at - width] ?? 0) + (pixels[at + width] ?? 0);
    soft[at] = ((pixels[at] ?? 0) * 4 + around) / 8;
  }
  return soft;
}

export function degrade(picture: Picture, damage: Damage, random: Random): Picture {
  const { width, height } = picture;
  let pixels = damage.degrees === 0 ? Uint8Array.from(picture.pixels) : rotate(picture, damage.degrees);
  if (damage.blurred) pixels = blur(pixels, width);
  for (let at = 0; at < pixels.length; at++) {
    const paper = ((pixels[at] ?? 255) * (damage.paper - 20)) / 255 + 20;
    // The sum of three even draws is close enough to a normal distribution.
    const grain = damage.grain === 0 ? 0 : (random.next() + random.next() + random.next() - 1.5) * 2 * damage.grain;
    pixels[at] = Math.max(0, Math.min(255, Math.round(paper + grain)));
  }
  const specks = Math.round(pixels.length * damage.dust);
  for (let speck = 0; speck < specks; speck++) pixels[random.integer(0, pixels.length - 1)] = random.chance(0.6) ? 40 : 255;
  return { pixels, width, height };
}
