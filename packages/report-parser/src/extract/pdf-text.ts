import type { Page, Word } from '../model/page.ts';

/** An item of the text layer, as unpdf returns it. */
export interface TextItem {
  readonly str: string;
  readonly x: number;
  /** From the bottom of the page. */
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly fontSize: number;
}

/** Splits the items of a text layer into words. Positions inside an item are estimated from the number of characters. */
export function toTextPage(items: readonly TextItem[], size: { readonly width: number; readonly height: number }): Page {
  const words: Word[] = [];
  for (const item of items) {
    const perCharacter = item.str.length === 0 ? 0 : item.width / item.str.length;
    const height = item.fontSize > 0 ? item.fontSize : item.height;
    for (const match of item.str.matchAll(/\S+/g)) {
      words.push({
        text: match[0],
        x: item.x + match.index * perCharacter,
        y: size.height - item.y,
        width: match[0].length * perCharacter,
        height,
      });
    }
  }
  return { words, ...size };
}
