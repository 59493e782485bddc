import type { Page, Word } from '../model/page.ts';

/** An item of a text layer, as pdf.js returns it. */
export interface TextItem {
  readonly str: string;
  readonly width: number;
  readonly height: number;
  /** The matrix of the text: two numbers for its direction, two for its height, and its place from the lower left corner of the page. */
  readonly transform: readonly number[];
}

/** The quarter turn, anticlockwise, in which a text runs: 0 from left to right, 1 upwards. */
const turnOf = ({ transform: [a = 1, b = 0] }: TextItem): number => (Math.round(Math.atan2(b, a) / (Math.PI / 2)) + 4) % 4;

/** The direction of most characters: landscape pages are drawn upwards on a page that is turned for display. */
function mainTurn(items: readonly TextItem[]): number {
  const counts = [0, 0, 0, 0];
  for (const item of items) counts[turnOf(item)] = (counts[turnOf(item)] ?? 0) + item.str.trim().length;
  return counts.indexOf(Math.max(...counts));
}

/**
 * Splits the items of a text layer into words. Positions inside an item are estimated from the number of characters. Texts that run in
 * another direction than most, such as along an edge, are left out.
 */
export function toTextPage(items: readonly TextItem[], { width, height }: { readonly width: number; readonly height: number }): Page {
  const turn = mainTurn(items);
  const words: Word[] = [];
  for (const item of items) {
    const [, , c = 0, d = 0, left = 0, bottom = 0] = item.transform;
    if (turnOf(item) !== turn) continue;
    const places: readonly (readonly [x: number, y: number])[] = [
      [left, height - bottom],
      [bottom, left],
      [width - left, bottom],
      [height - bottom, width - left],
    ];
    const [x, y] = places[turn] ?? [left, height - bottom];
    const perCharacter = item.str.length === 0 ? 0 : item.width / item.str.length;
    const size = Math.hypot(c, d);
    for (const match of item.str.matchAll(/\S+/g)) {
      words.push({
        text: match[0],
        x: x + match.index * perCharacter,
        y,
        width: match[0].length * perCharacter,
        height: size > 0 ? size : item.height,
      });
    }
  }
  return { words, ...(turn % 2 === 0 ? { width, height } : { width: height, height: width }) };
}
