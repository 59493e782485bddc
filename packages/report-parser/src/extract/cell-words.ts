import type { Page as Reading } from 'tesseract.js';
import type { CutCell } from '../ink/cut-cell.ts';
import type { TextCell } from '../image/find-cells.ts';
import type { Space } from '../ink/find-spaces.ts';
import { isOrnament, isRowOfAsterisks } from '../ink/is-ornament.ts';
import { joinWords } from '../ink/join-words.ts';
import type { Raster } from '../image/raster.ts';
import { restoreText } from '../ink/restore-text.ts';
import type { Word } from '../model/page.ts';

export interface RatedWord {
  readonly word: Word;
  /** 0 to 100. */
  readonly confidence: number;
}

/** Words below this confidence without a letter, a digit or a comparison are noise, such as specks and lines. */
const confidenceMin = 20;
const isReadable = (text: string) => /[a-z0-9<>%]/i.test(text);
/** Capitals are this share of the size of a font. */
const capitals = 0.7;

/** The words of a cell as the engine read them, corrected by their ink and placed on the page. */
export function cellWords(reading: Reading, page: Raster, cell: TextCell, cut: CutCell, spaces: readonly Space[]): readonly RatedWord[] {
  const lines = (reading.blocks ?? []).flatMap((block) => block.paragraphs.flatMap((paragraph) => paragraph.lines));
  const read = lines
    .flatMap((line) => line.words)
    .filter(({ text, confidence }) => text.trim() !== '' && (confidence >= confidenceMin || isReadable(text)))
    .map(({ text, bbox, confidence }) => {
      const place = { left: cut.toPage(bbox.x0), right: cut.toPage(bbox.x1), top: bbox.y0 + cut.top, bottom: bbox.y1 + cut.top };
      return { text, ...place, confidence };
    })
    .filter((word) => !isOrnament(word, cell));
  if (isRowOfAsterisks(read.map(({ text }) => text).join(''))) return [];
  return joinWords(read, cell, spaces).map(({ confidence, top, bottom, ...word }) => {
    const size = cell.height / capitals;
    // Digits are as tall as capitals, so a small one that ends above the baseline is superscript; OCR reads it as a stroke too.
    const isRaised = /^\d|^[Il|!]$/.test(word.text) && bottom < cell.baseline - size * 0.2;
    return {
      word: {
        text: restoreText(word, page, cell),
        x: word.left,
        y: cell.baseline,
        width: word.right - word.left,
        height: isRaised ? bottom - top : size,
      },
      confidence,
    };
  });
}
