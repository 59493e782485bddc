import type { Page as Reading } from 'tesseract.js';
import { findCells, type TextCell } from '../image/find-cells.ts';
import { flattenLines } from '../image/flatten-lines.ts';
import { prepareScan } from '../image/prepare-scan.ts';
import type { Raster } from '../image/raster.ts';
import { cutCell, withoutGrey } from '../ink/cut-cell.ts';
import { doubtfulNumbers, doubtfulUnits, isSupportedNumber, isSupportedUnit } from '../ink/doubtful-cells.ts';
import { aroundDashes, findDashes } from '../ink/find-dashes.ts';
import { findPossibleSpaces, findSpaces, usualGap, type Space } from '../ink/find-spaces.ts';
import { separateDashes } from '../ink/separate-dashes.ts';
import { splitCell } from '../ink/split-cell.ts';
import type { Page } from '../model/page.ts';
import type { Doubt } from '../model/report.ts';
import { nearestUnit } from '../values/units.ts';
import { cellWords, type RatedWord } from './cell-words.ts';
import { ReportParseError } from './failure.ts';
import { inParallel } from './in-parallel.ts';

/** Recognises an image of one line: of any text, of a number, or of one short word. */
export type Recognise = (image: Raster, mode: Mode) => Promise<Reading>;
export type Mode = 'line' | 'number' | 'word';

/** Longest side by shortest; the search for the angle of a strip would take long. */
const ratioMax = 20;
/** A page of a report has up to 400; each takes about 30 ms. */
const cellsMax = 1500;
/** Cells of a page that wait for the engines at the same time: enough to keep these busy while another page is prepared. */
const cellsAtOnce = 64;
/** Cells with more spaces are sentences, of which a misread space changes no result. */
const spacesMax = 6;
/** An empty reading of a cell with more marks is an ornament or a picture. */
const marksOfWord = 6;
/** In fonts with capitals of fewer pixels of the scan, digits resemble each other: 10 points at 100 dpi have ten. */
const capitalsMin = 12;
/** A second reading below this confidence is no better than the first. */
const confidenceMin = 50;

const textOf = (words: readonly RatedWord[]) => words.map(({ word }) => word.text).join(' ');
const confidenceOf = (words: readonly RatedWord[]) =>
  words.reduce((sum, { confidence }) => sum + confidence, 0) / Math.max(1, words.length);
/** Whether a text is no sign or word, or what OCR reads for asterisks. */
const isOrnamental = (text: string) => !/^[\w%/<>=.-]+$/.test(text) || /^[kx]+$/i.test(text);

/** OCR that is less certain of a number confuses digits that look alike. */
const sureMin = 90;
const digitsOf = (text: string) => text.replaceAll(/[^\d.<>]/g, '');
const isUnsureNumber = ({ words }: ReadCell) =>
  /^[<>=([]*\d[\d.\s–-]*[)\]]?$/.test(textOf(words)) && words.some(({ word, confidence }) => /\d/.test(word.text) && confidence < sureMin);

interface ReadCell {
  readonly cell: TextCell;
  readonly text: string;
  readonly dashes: number;
  words: readonly RatedWord[];
  /** Whether the ink contradicts every reading of a number. */
  isContradicted?: boolean;
}

/** The words of a scan. Cells whose reading disagrees with their ink or their column are read again, and the better reading is kept. */
export async function readPage(scan: Raster, recognise: Recognise): Promise<Page> {
  if (Math.max(scan.width, scan.height) > Math.min(scan.width, scan.height) * ratioMax)
    throw new ReportParseError('invalid_input', 'A page is too long and narrow to be a report');
  const { page, dpi, scale } = prepareScan(scan);
  const found = findCells(page, dpi).map((cell) => separateDashes(page, cell));
  if (found.length > cellsMax) throw new ReportParseError('low_quality', 'A page is too noisy to be read');
  const usual = usualGap(found);
  const readCell = async (cell: TextCell, spaces: readonly Space[], mode: Mode, breaks = spaces) => {
    const cut = cutCell(page, cell, spaces);
    const image = mode === 'number' ? withoutGrey(cut.image) : cut.image;
    return cellWords(await recognise(image, mode), page, cell, cut, breaks);
  };
  const readFirst = async (cell: TextCell): Promise<ReadCell> => {
    const spaces = findSpaces(cell, usual);
    let words = await readCell(cell, spaces, 'line', findPossibleSpaces(cell, usual));
    if (words.length > 0 && words.length <= spaces.length && spaces.length <= spacesMax) {
      const parts: RatedWord[] = [];
      for (const part of splitCell(cell, spaces)) parts.push(...(await readCell(part, [], 'line')));
      if (parts.length > words.length) words = parts;
    }
    return { cell, text: textOf(words), dashes: findDashes(page, cell).length, words };
  };
  const read = await inParallel(found, cellsAtOnce, readFirst);
  for (const one of doubtfulNumbers(read)) {
    const dashes = aroundDashes(findDashes(page, one.cell));
    one.isContradicted = true;
    const attempts = [
      ['number', []],
      ['word', []],
      ['number', dashes],
    ] as const;
    for (const [mode, spaces] of attempts) {
      const words = await readCell(one.cell, spaces, mode);
      const text = textOf(words).replaceAll(' ', '');
      if (!isSupportedNumber({ ...one, text }) || confidenceOf(words) < confidenceMin) continue;
      one.words = words;
      one.isContradicted = false;
      break;
    }
  }
  // An unsure number is read again, as a number only, and a second reading must agree with it.
  for (const one of read.filter((cell) => cell.isContradicted === undefined && isUnsureNumber(cell))) {
    one.isContradicted = true;
    for (const spaces of [findSpaces(one.cell, usual), aroundDashes(findDashes(page, one.cell))]) {
      if (digitsOf(textOf(await readCell(one.cell, spaces, 'number'))) === digitsOf(textOf(one.words))) one.isContradicted = false;
      if (!one.isContradicted) break;
    }
  }
  for (const one of doubtfulUnits(read)) {
    const words = await readCell(one.cell, [], 'word');
    if (isSupportedUnit({ text: textOf(words) }) && confidenceOf(words) >= confidenceMin) one.words = words;
    else {
      const [first, ...more] = one.words;
      const unit = nearestUnit(one.text);
      if (first && more.length === 0 && unit !== undefined) one.words = [{ ...first, word: { ...first.word, text: unit } }];
    }
  }
  for (const one of read.filter(({ words, cell }) => words.length === 0 && cell.marks.length <= marksOfWord)) {
    const words = await readCell(one.cell, [], 'word');
    if (!isOrnamental(textOf(words))) one.words = words;
  }
  const words = read.flatMap((one) => one.words);
  const lines = flattenLines(found, page);
  const rated = read.flatMap((one) => {
    const move = lines.baselineOf(one.cell) - one.cell.baseline;
    return one.words.map(({ word, confidence }) => ({ ...word, y: word.y + move, confidence: one.isContradicted ? 0 : confidence }));
  });
  const capitals = found.map(({ height }) => height / scale).toSorted((a, b) => a - b)[found.length >> 1] ?? capitalsMin;
  const doubts: Doubt[] = [
    ...(capitals < capitalsMin ? (['resolution'] as const) : []),
    ...(lines.isAmbiguous ? (['pairing'] as const) : []),
  ];
  return { words: rated, width: page.width, height: page.height, ocrConfidence: confidenceOf(words), ...(doubts.length > 0 && { doubts }) };
}
