import type { TextCell } from '../image/find-cells.ts';
import type { Mark } from '../image/find-marks.ts';
import type { Raster } from '../image/raster.ts';
import type { ReadWord } from './restore-signs.ts';

const inkMax = 160;

/** Whether the top of a letter is open in the middle, as in `µ` and unlike `p`. */
function isOpenAbove({ pixels, width }: Raster, { left, right, top }: Mark, baseline: number): boolean {
  const [from, to] = [left + (right - left) * 0.4, left + (right - left) * 0.6];
  for (let y = top; y <= top + (baseline - top) * 0.45; y++)
    for (let x = Math.round(from); x <= to; x++) if ((pixels[y * width + x] ?? 255) < inkMax) return false;
  return true;
}

/** The English model has no `µ` and reads `p`, which is a different unit: the shape of the letter decides. */
export function restoreMicro({ text, left, right }: ReadWord, page: Raster, cell: TextCell): string {
  if (/[a-z\d]\/pL$/i.test(text)) {
    const inside = cell.marks.filter((one) => one.left >= left - 3 && one.right <= right + 3 && one.bottom - one.top >= cell.height * 0.5);
    const letter = inside.at(-2);
    return letter && isOpenAbove(page, letter, cell.baseline) ? `${text.slice(0, -2)}µL` : text;
  }
  if (!/^p(?:mol|g|U|IU|L)\b/.test(text)) return text;
  const mark = cell.marks.find((one) => one.right > left + 1);
  return mark && isOpenAbove(page, mark, cell.baseline) ? `µ${text.slice(1)}` : text;
}

/** Names end with a comma or a point by the ink: OCR confuses them and omits commas. */
export function restoreComma({ text, right }: ReadWord, { marks, height, baseline }: TextCell): string {
  if (!/^[a-z][\w()'-]*[.,]?$/i.test(text)) return text;
  const mark = marks.find(
    (one) =>
      Math.abs(one.left - right) <= height * 0.35 &&
      one.right - one.left < height * 0.3 &&
      one.bottom - one.top < height * 0.45 &&
      one.bottom - one.top > height * 0.06 &&
      one.top > baseline - height * 0.25,
  );
  if (!mark || marks.some((one) => one !== mark && one.right >= mark.left + 2 && one.left <= mark.right - 2)) return text;
  const below = (mark.bottom - baseline) / height;
  if (/[.,]$/.test(text)) return `${text.slice(0, -1)}${below >= 0.06 ? ',' : '.'}`;
  return below >= 0.1 ? `${text},` : text;
}

/** OCR omits the upright stroke of `IU` in fonts without serifs, and `U` is a different unit. */
export function restoreInternational({ text, left }: ReadWord, { marks, height }: TextCell): string {
  const prefix = /^([mµu]?)U\/[a-z]+$/i.exec(text)?.[1];
  if (prefix === undefined) return text;
  const stroke = marks.filter(({ right }) => right >= left - height * 0.25)[prefix.length];
  const isStroke = stroke && stroke.right - stroke.left < height * 0.25 && stroke.bottom - stroke.top >= height * 0.8;
  return isStroke && (prefix !== '' || stroke.left <= left + height * 0.2) ? `${prefix}I${text.slice(prefix.length)}` : text;
}
