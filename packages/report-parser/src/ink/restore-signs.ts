import type { TextCell } from '../image/find-cells.ts';
import type { Mark } from '../image/find-marks.ts';

/** A word of a cell as OCR read it, with its horizontal position on the page. */
export interface ReadWord {
  readonly text: string;
  readonly left: number;
  readonly right: number;
}

const heightOf = ({ top, bottom }: Mark) => bottom - top + 1;
const widthOf = ({ left, right }: Mark) => right - left + 1;
const middleOf = ({ left, right }: Mark) => (left + right) / 2;
const overlap = (one: Mark, other: Mark) => Math.min(one.right, other.right) - Math.max(one.left, other.left) + 1;

/** The sign that a small mark is: a point is as wide as high and on the baseline, a hyphen flat and above it. */
function signOf(mark: Mark, { height, baseline }: TextCell): '.' | '-' | undefined {
  const [wide, high] = [widthOf(mark), heightOf(mark)];
  const isSmall = high <= height * 0.3 && wide <= height * 0.3 && high >= height * 0.09 && wide >= height * 0.09;
  if (isSmall && Math.abs(mark.bottom - baseline) <= height * 0.12) return '.';
  const rise = baseline - (mark.top + mark.bottom) / 2;
  return wide >= high * 1.5 && wide >= height * 0.2 && high <= height * 0.25 && rise > height * 0.2 && rise < height * 0.6
    ? '-'
    : undefined;
}

export const isPoint = (mark: Mark, cell: TextCell): boolean => signOf(mark, cell) === '.';

/** Whether a mark is raised like a footnote mark. */
const isRaised = (mark: Mark, { height, baseline }: TextCell) =>
  mark.bottom < baseline - height * 0.25 && heightOf(mark) <= height * 0.75 && heightOf(mark) >= height * 0.3;

/** Removes the last character if it is a raised mark directly behind a number. */
function withoutFootnote(text: string, marks: readonly Mark[], cell: TextCell): string {
  const last = marks.at(-1);
  const number = /^([<>]?=?\d[\d.,]*\d|\d)[^)\]%]$/.exec(text)?.[1];
  return last && number !== undefined && isRaised(last, cell) ? number : text;
}

/** Joins the parts of broken characters: marks above each other. */
function joinParts(marks: readonly Mark[]): readonly Mark[] {
  const joined: Mark[] = [];
  for (const mark of marks) {
    const before = joined.at(-1);
    if (!before || overlap(before, mark) < Math.min(widthOf(before), widthOf(mark)) * 0.5) joined.push(mark);
    else
      joined[joined.length - 1] = {
        left: Math.min(before.left, mark.left),
        top: Math.min(before.top, mark.top),
        right: Math.max(before.right, mark.right),
        bottom: Math.max(before.bottom, mark.bottom),
        area: before.area + mark.area,
      };
  }
  return joined;
}

/** Characters around the digits of a word; `after` is unknown when letters follow, because each may be several marks. */
interface Others {
  readonly before: number;
  readonly after: number | undefined;
}

/** The number of digits before each sign; undefined when the digits cannot be told apart, so that the place is uncertain. */
function placesOf(signs: readonly Mark[], tall: readonly Mark[], digits: number, { before, after }: Others, height: number) {
  const isSeparate = after !== undefined || tall.slice(before, before + digits).every((mark) => widthOf(mark) <= height * 0.85);
  if (after === undefined ? tall.length > digits + before && isSeparate : tall.length === digits + before + after)
    return signs.map((sign) => tall.filter((mark) => mark.left < sign.left).length - before);
  const [first, last] = [tall[0], tall.at(-1)];
  if (!first || !last || before > 0 || after !== 0 || signs.length !== 1) return undefined;
  // Digits are equally wide in almost every font, and a point takes half as much.
  const pitch = (last.right - first.left + 1) / (digits + 0.5);
  return signs.map((sign) => Math.round((middleOf(sign) - first.left) / pitch - 0.25));
}

/**
 * Corrects a number by the ink of its cell: OCR omits decimal points and hyphens, reads points as colons, and reads footnote marks as
 * digits or punctuation. A sign is inserted only where there is one between two digits; signs that OCR read stay.
 */
export function restoreSigns({ text, left, right }: ReadWord, cell: TextCell): string {
  if (/^[Il|]\+$/.test(text)) return '1+';
  const marks = cell.marks.filter((mark) => middleOf(mark) >= left - 3 && middleOf(mark) <= right + 3);
  const plain = withoutFootnote(text, marks, cell).replace(/(?<=\d)\.{2,}(?=\d)/, '.');
  const [, lead = '', printed, tail = ''] = /^([<>=([]{0,2})(\d[\d.:–-]*)([)\]]?|[%a-zµ].*)$/i.exec(plain) ?? [];
  if (printed === undefined) return plain;
  const number = printed.replaceAll(':', '');
  const digits = number.replaceAll(/\D/g, '');
  const characters = joinParts(marks);
  const tall = characters.filter((mark) => heightOf(mark) >= cell.height * 0.7);
  const after = /^[)\]]?$/.test(tail) ? tail.length : undefined;
  const others = { before: lead.replaceAll('=', '').length, after };
  // Signs behind the digits belong to the unit.
  const end = after === undefined ? (tall[others.before + digits.length - 1]?.left ?? 0) : Number.POSITIVE_INFINITY;
  const signs = characters.filter(
    (mark) => mark.left < end && signOf(mark, cell) !== undefined && !tall.some((other) => overlap(mark, other) > 1),
  );
  if (signs.length <= number.length - digits.length) return plain;
  const places = placesOf(signs, tall, digits.length, others, cell.height);
  if (!places || places.some((place) => place <= 0 || place >= digits.length) || new Set(places).size < places.length) return plain;
  const signAt = new Map(signs.map((sign, index) => [places[index], signOf(sign, cell)]));
  const restored = digits
    .split('')
    .map((digit, index) => `${signAt.get(index) ?? ''}${digit}`)
    .join('');
  return contains(restored, number.replaceAll('–', '-')) ? `${lead}${restored}${tail}` : plain;
}

/** Whether the characters of `part` occur in `whole` in this order. */
function contains(whole: string, part: string): boolean {
  let at = 0;
  for (const character of whole) if (character === part[at]) at++;
  return at === part.length;
}
