import type { Page } from '../model/page.ts';
import type { ReportMetadata } from '../model/report.ts';
import { toCells, toLines, type Line } from '../layout/lines.ts';

type Field = 'patient' | 'firstName' | 'lastName' | 'dob' | 'gender' | 'lab' | 'reported' | 'collected' | 'specimen' | 'ignored';

/** Labels of the report header, in lower case and without punctuation; longer ones first, so that `patient name` wins over `patient`. */
const labels: readonly (readonly [string, Field])[] = (
  [
    ['patient name', 'patient'],
    ['patient information', 'patient'],
    ['patient', 'patient'],
    ['name', 'patient'],
    ['first name', 'firstName'],
    ['given name', 'firstName'],
    ['last name', 'lastName'],
    ['surname', 'lastName'],
    ['family name', 'lastName'],
    ['date of birth', 'dob'],
    ['birth date', 'dob'],
    ['birthdate', 'dob'],
    ['dob', 'dob'],
    ['d o b', 'dob'],
    ['born', 'dob'],
    ['sex', 'gender'],
    ['gender', 'gender'],
    ['laboratory', 'lab'],
    ['performing lab', 'lab'],
    ['performing laboratory', 'lab'],
    ['lab name', 'lab'],
    ['lab', 'lab'],
    ['date reported', 'reported'],
    ['reported', 'reported'],
    ['report date', 'reported'],
    ['reported on', 'reported'],
    ['date of report', 'reported'],
    ['report issued', 'reported'],
    ['date collected', 'collected'],
    ['collected', 'collected'],
    ['collection date', 'collected'],
    ['collected on', 'collected'],
    ['date of collection', 'collected'],
    ['sample collected', 'collected'],
    ['specimen collected', 'collected'],
    ['drawn', 'collected'],
    ['specimen id', 'specimen'],
    ['specimen number', 'specimen'],
    ['specimen no', 'specimen'],
    ['specimen', 'specimen'],
    ['accession', 'specimen'],
    ['accession number', 'specimen'],
    ['accession no', 'specimen'],
    ['accession id', 'specimen'],
    ['sample id', 'specimen'],
    ['sample number', 'specimen'],
    ['sample no', 'specimen'],
    ['lab number', 'specimen'],
    ['lab id', 'specimen'],
    ['age', 'ignored'],
    ['specimen information', 'ignored'],
    ['client information', 'ignored'],
    ['phone', 'ignored'],
    ['patient id', 'ignored'],
    ['mrn', 'ignored'],
    ['received', 'ignored'],
    ['date received', 'ignored'],
    ['ordering physician', 'ignored'],
    ['physician', 'ignored'],
    ['provider', 'ignored'],
    ['ordered by', 'ignored'],
    ['fasting', 'ignored'],
    ['status', 'ignored'],
    ['page', 'ignored'],
    ['address', 'ignored'],
    ['account', 'ignored'],
    ['report status', 'ignored'],
    ['requested by', 'ignored'],
    ['client', 'ignored'],
  ] as const satisfies readonly (readonly [string, Field])[]
).toSorted(([a], [b]) => b.length - a.length);

const pattern = (label: string) => label.replaceAll(' ', '[ ./#]*');
/** A label at the start of a text or after a gap, followed by a colon, or by itself in its cell. */
const anyLabel = new RegExp(`(?:^|(?<=\\s))(${labels.map(([label]) => pattern(label)).join('|')})[ .#]*[:;]`, 'gi');
/** Without spaces, which OCR omits in capitals. */
const fields = new Map(labels.map(([label, field]) => [label.replaceAll(' ', ''), field]));
const fieldOf = (label: string) => fields.get(label.toLowerCase().replaceAll(/[^a-z]+/g, ''));

/** Values are shorter than this; a longer text is a sentence. */
const longestValue = 60;

const isDate = (text: string) => /\d/.test(text) && /^[\dA-Za-z ,./:-]{6,32}$/.test(text);

/** Pairs of label and value in a line: `DOB: 02/01/1990   Sex: F`. */
function* pairsOf(line: Line, next: Line | undefined): Generator<readonly [Field, string]> {
  const cells = toCells(line);
  for (const [index, cell] of cells.entries()) {
    const found = [...cell.text.matchAll(anyLabel)];
    for (const [at, match] of found.entries()) {
      const field = fieldOf(match[1] ?? '');
      const value = cell.text.slice(match.index + match[0].length, found[at + 1]?.index).trim();
      if (field === undefined) continue;
      if (value !== '') yield [field, value];
      else if (at === found.length - 1) yield [field, valueBeside(cells[index + 1]?.text) ?? valueBelow(cell, next) ?? ''];
    }
    const alone = fieldOf(cell.text);
    if (found.length > 0 || alone === undefined) continue;
    const beside = valueBeside(cells[index + 1]?.text);
    yield [alone, beside !== undefined && fieldOf(beside) === undefined ? beside : (valueBelow(cell, next) ?? '')];
  }
}

const valueBeside = (text: string | undefined) => (text === undefined || anyLabelIn(text) ? undefined : text.replace(/^[:\s]+/, ''));
const anyLabelIn = (text: string) => text.search(anyLabel) >= 0;

/** The text under a label in a header that is laid out as a grid. */
function valueBelow(label: { x: number; right: number }, next: Line | undefined): string | undefined {
  return next && toCells(next).find((cell) => Math.abs(cell.x - label.x) < next.height && !anyLabelIn(cell.text))?.text;
}

function splitName(name: string): readonly [first: string | null, last: string | null] {
  const clean = name
    .replaceAll(/\s+/g, ' ')
    .replace(/\s*\(.*$/, '')
    .trim();
  if (clean === '') return [null, null];
  const comma = clean.indexOf(',');
  if (comma > 0)
    return [
      clean
        .slice(comma + 1)
        .trim()
        .split(' ')[0] || null,
      clean.slice(0, comma).trim(),
    ];
  const words = clean.split(' ');
  return words.length === 1 ? [null, clean] : [words[0] ?? null, words.slice(1).join(' ')];
}

function genderOf(text: string | undefined): ReportMetadata['gender'] {
  if (text === undefined) return 'other';
  if (/^(?:f|female|woman)\b/i.test(text)) return 'female';
  return /^(?:m|male|man)\b/i.test(text) ? 'male' : 'other';
}

/** The header fields of a report. Dates are returned as printed. */
export function readMetadata(pages: readonly Page[]): ReportMetadata {
  const found = new Map<Field, string>();
  const lines = pages.slice(0, 2).flatMap((page) => toLines(page.words));
  for (const [index, line] of lines.entries()) {
    for (const [field, value] of pairsOf(line, lines[index + 1])) {
      const isDateField = field === 'dob' || field === 'reported' || field === 'collected';
      const isUsable = value !== '' && value.length <= longestValue && (!isDateField || isDate(value));
      if (isUsable && !found.has(field)) found.set(field, value);
    }
  }
  const [first, last] = splitName(found.get('patient') ?? '');
  return {
    patientFirstName: found.get('firstName') ?? first,
    patientLastName: found.get('lastName') ?? last,
    dob: found.get('dob') ?? null,
    gender: genderOf(found.get('gender')),
    labName: found.get('lab') ?? titleOf(lines),
    dateReported: found.get('reported') ?? null,
    dateCollected: found.get('collected') ?? null,
    specimenNumber: found.get('specimen') ?? null,
  };
}

/** A sentence such as `Not for medical use.`, although it contains a word that laboratories have in their names. */
const isNotice = (text: string) => /(?<!\b(?:inc|ltd|co|corp))[.!]$|\bnot (?:for|valid)\b/i.test(text);

/** The name of the laboratory: a line near the top that contains one, else the line in the largest font. */
function titleOf(lines: readonly Line[]): string | null {
  const head = lines.slice(0, 6).map((line) => ({ height: line.height, text: toCells(line)[0]?.text ?? '' }));
  const isTitle = (text: string) => text.length >= 3 && text.length <= longestValue && !text.includes(':') && !isNotice(text);
  const named = head.find(
    ({ text }) =>
      isTitle(text) &&
      /\b(?:labs?|laborator(?:y|ies)|diagnostics?|clinic|medical|health|pathology)\b/i.test(text) &&
      !/report|results/i.test(text),
  );
  const largest = head.filter(({ text }) => isTitle(text) && !/report|results/i.test(text)).toSorted((a, b) => b.height - a.height)[0];
  return (named ?? largest)?.text ?? null;
}
