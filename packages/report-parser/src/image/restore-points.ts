import type { TextCell } from './find-cells.ts';
import type { Mark } from './find-marks.ts';

/** A word of a cell as OCR read it, with the horizontal position on the page. */
export interface ReadWord {
  readonly text: string;
  readonly left: number;
  readonly right: number;
}

const heightOf = ({ top, bottom }: Mark) => bottom - top + 1;
const widthOf = ({ left, right }: Mark) => right - left + 1;
const middleOf = ({ left, right }: Mark) => (left + right) / 2;
/** What OCR reads for a point that it does not omit. */
const pointsReadAs = /(?<=\d)[.,:;](?=\d)/g;

/** Whether a mark is a full stop: small, about as high as wide, on the baseline. A comma reaches further down. */
function isPoint(mark: Mark, { height, baseline }: TextCell): boolean {
  const size = heightOf(mark);
  return (
    size <= height * 0.3 &&
    widthOf(mark) <= height * 0.3 &&
    size >= height * 0.06 &&
    Math.abs(mark.bottom - baseline) <= height * 0.12 &&
    mark.top > baseline - height * 0.4
  );
}

/** Whether a mark is raised like a footnote mark. */
const isRaised = (mark: Mark, { height, baseline }: TextCell) =>
  mark.bottom < baseline - height * 0.25 && heightOf(mark) <= height * 0.75 && heightOf(mark) >= height * 0.3;

/**
 * Corrects a number by the ink of its cell: OCR omits decimal points and reads footnote marks as digits or punctuation. A point is inserted
 * only where there is one between two digits, and only when every digit is a mark of its own, so that its place is certain.
 */
export function restorePoints({ text, left, right }: ReadWord, cell: TextCell): string {
  if (!/^[<>=≤≥(["“‘']{0,3}\d[\d.,:;–-]*[^a-z]{0,2}$/i.test(text)) return text;
  const marks = cell.marks.filter((mark) => middleOf(mark) >= left - 2 && middleOf(mark) <= right + 2);
  const plain = withoutFootnote(text, marks, cell);
  const digits = marks.filter((mark) => heightOf(mark) >= cell.height * 0.75 && widthOf(mark) <= cell.height * 0.95);
  const points = marks.filter((mark) => isPoint(mark, cell)).map((mark) => digits.filter((digit) => digit.left < mark.left).length);
  const bare = plain.replaceAll(pointsReadAs, (point) => (point === ',' ? point : ''));
  // Signs such as < and brackets can be as tall as digits or not; only digits are certain.
  const lead = /^\D*/.exec(bare)?.[0] ?? '';
  const tallBefore = digits.length - bare.replaceAll(/\D/g, '').length - (/[)\]]/.exec(bare) ? 1 : 0);
  if (bare.includes(',') || tallBefore < 0 || tallBefore > lead.length) return plain;
  let [result, seen] = ['', tallBefore];
  for (const character of bare) {
    if (/\d/.test(character)) {
      if (points.includes(seen) && /\d$/.test(result)) result += '.';
      seen++;
    }
    result += character;
  }
  const count = (of: string) => (of.match(/(?<=\d)\.(?=\d)/g) ?? []).length;
  return count(result) >= count(plain) ? result : plain;
}

/** Removes the last character if it is a raised mark directly behind a number. */
function withoutFootnote(text: string, marks: readonly Mark[], cell: TextCell): string {
  const last = marks.at(-1);
  const [, number] = /^([<>]?=?\d[\d.,]*\d|\d)[^)\]%]$/.exec(text) ?? [];
  return last && number !== undefined && isRaised(last, cell) ? number : text;
}
