import type { Page } from '../model/page.ts';
import type { ReportMetadata } from '../model/report.ts';
import { toCells, toLines, type Line } from '../layout/lines.ts';
import { isDate, yearsBetween } from '../values/dates.ts';
import type { Patient } from '../values/range-for-patient.ts';

type Field = 'patient' | 'firstName' | 'lastName' | 'dob' | 'gender' | 'age' | 'lab' | 'reported' | 'collected' | 'specimen' | 'ignored';

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
    ['testing laboratory', 'lab'],
    ['processed at', 'lab'],
    ['date reported', 'reported'],
    ['reported', 'reported'],
    ['report date', 'reported'],
    ['reported on', 'reported'],
    ['date of report', 'reported'],
    ['report issued', 'reported'],
    ['reporting date', 'reported'],
    ['reported date', 'reported'],
    ['report date time', 'reported'],
    ['reported date time', 'reported'],
    ['reporting time', 'reported'],
    ['date time reported', 'reported'],
    ['report released', 'reported'],
    ['released on', 'reported'],
    ['result date', 'reported'],
    ['date of result', 'reported'],
    ['report generated', 'reported'],
    ['report generated on', 'reported'],
    ['approved on', 'reported'],
    ['date collected', 'collected'],
    ['collected', 'collected'],
    ['collection date', 'collected'],
    ['collected on', 'collected'],
    ['date of collection', 'collected'],
    ['sample collected', 'collected'],
    ['specimen collected', 'collected'],
    ['drawn', 'collected'],
    ['date drawn', 'collected'],
    ['draw date', 'collected'],
    ['coll date', 'collected'],
    ['coll study date', 'collected'],
    ['collected date', 'collected'],
    ['collection', 'collected'],
    ['collection time', 'collected'],
    ['collection date time', 'collected'],
    ['collected date time', 'collected'],
    ['date time collected', 'collected'],
    ['specimen collection date', 'collected'],
    ['sample collection date', 'collected'],
    ['sample date', 'collected'],
    ['sample collected on', 'collected'],
    ['sample collected at', 'collected'],
    ['sample drawn', 'collected'],
    ['date of sample', 'collected'],
    ['specimen date', 'collected'],
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
    ['age', 'age'],
    ['age gender', 'gender'],
    ['age sex', 'gender'],
    ['gender age', 'gender'],
    ['sex age', 'gender'],
    ['registered on', 'ignored'],
    ['registration date', 'ignored'],
    ['printed on', 'ignored'],
    ['print date', 'ignored'],
    ['ref by', 'ignored'],
    ['referred by', 'ignored'],
    ['order date', 'ignored'],
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
const anyLabel = new RegExp(
  `(?:^|(?<=\\s))(${labels.map(([label]) => pattern(label)).join('|')})(?: ?[&/] ?time| and time)?[ .#]*[:;]`,
  'gi',
);
/** Without spaces, which OCR omits in capitals. */
const fields = new Map(labels.map(([label, field]) => [label.replaceAll(' ', ''), field]));
const fieldOf = (label: string) => fields.get(label.toLowerCase().replaceAll(/[^a-z]+/g, ''));

/** Values are shorter than this; a longer text is a sentence. */
const longestValue = 60;

const isDateText = (text: string) =>
  /\d/.test(text) && /^[\dA-Za-z ,./:-]{6,32}$/.test(text) && (isDate(text) || !/^\d{1,3}\s*[a-z]*$/i.test(text));

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

/** The sex in a text such as `F`, `46 Years / Male` or `49 Yr/F`. */
function genderOf(text: string | undefined): 'male' | 'female' | undefined {
  const word = /(?<![a-z])(f|female|woman|m|male|man)(?![a-z])/i.exec(text ?? '')?.[1]?.toLowerCase();
  if (word === undefined) return undefined;
  return word.startsWith('f') || word === 'woman' ? 'female' : 'male';
}

/** The age in completed years in a text such as `46 Years / Male` or `45`; months and days are none. */
function ageOf(text: string | undefined): number | undefined {
  const age = /^(\d{1,3})\s*(?:y(?:ea)?r?s?\b.*|\/.*)?$/i.exec(text?.trim() ?? '')?.[1];
  return age === undefined || Number(age) > 125 ? undefined : Number(age);
}

/** The age and sex of a text such as `24 Yrs / Female`, wherever it stands in the head: its label can be a part of another text. */
const ageAndSex = /\b(\d{1,3})\s*(?:y(?:ea)?r?s?)\s*\/\s*(?:fe)?male\b/i;

/** The header fields of a report, and what its ranges may depend on. Dates are returned as printed. */
export function readHead(pages: readonly Page[]): { readonly metadata: ReportMetadata; readonly patient: Patient } {
  const found = new Map<Field, string>();
  const lines = pages.slice(0, 2).flatMap((page) => toLines(page.words));
  for (const [index, line] of lines.entries()) {
    for (const [field, value] of pairsOf(line, lines[index + 1])) {
      const isDateField = field === 'dob' || field === 'reported' || field === 'collected';
      const isUsable =
        value !== '' &&
        value.length <= longestValue &&
        (!isDateField || isDateText(value)) &&
        (field !== 'gender' || genderOf(value) !== undefined);
      if (isUsable && !found.has(field)) found.set(field, value);
    }
  }
  const [first, last] = splitName(found.get('patient') ?? '');
  const [firstName, lastName] = [found.get('firstName') ?? first, found.get('lastName') ?? last];
  const [gender, dob, reported, collected] = (['gender', 'dob', 'reported', 'collected'] as const).map((field) => found.get(field));
  const combined = lines.map(({ words }) => ageAndSex.exec(words.map(({ text }) => text).join(' '))).find((match) => match !== null);
  const sex = genderOf(gender ?? combined?.[0]);
  const day = collected ?? reported;
  return {
    metadata: {
      patientFirstName: firstName,
      patientLastName: lastName,
      dob: dob ?? null,
      gender: sex ?? 'other',
      labName: withoutPerson(found.get('lab'), lastName) ?? labNameOf(lines, lastName),
      dateReported: reported ?? null,
      dateCollected: collected ?? null,
      specimenNumber: found.get('specimen') ?? null,
    },
    patient: {
      sex,
      ageYears:
        ageOf(found.get('age')) ??
        ageOf(gender ?? combined?.[0]) ??
        (dob !== undefined && day !== undefined ? yearsBetween(dob, day) : undefined),
    },
  };
}

export const readMetadata = (pages: readonly Page[]): ReportMetadata => readHead(pages).metadata;

/** A name that contains the patient's is not the laboratory's: it would escape whoever redacts the two fields of the patient's name. */
function withoutPerson(name: string | undefined, lastName: string | null): string | null {
  if (name === undefined) return null;
  const isPerson = lastName !== null && lastName.length > 2 && name.toLowerCase().includes(lastName.toLowerCase());
  return isPerson || /^(?:dr|mr|mrs|ms|miss|prof)\.?\s/i.test(name) ? null : name;
}

/** A sentence such as `Not for medical use.`, although it contains a word that laboratories have in their names. */
const isNotice = (text: string) => /(?<!\b(?:inc|ltd|co|corp))[.!]$|\bnot (?:for|valid)\b/i.test(text);

const namedAsLab =
  /\b(?:labs?|laborator(?:y|ies)|diagnostics?|clinics?|clinical|medical|health|healthcare|hospitals?|pathology|biomedical|nhs|labcorp|quest|bioreference|arup)\b/i;

/** The name of the laboratory: a line near the top that says so. The largest line is as often the patient's name or a slogan. */
function labNameOf(lines: readonly Line[], lastName: string | null): string | null {
  const head = lines.slice(0, 6).map((line) => toCells(line)[0]?.text ?? '');
  const named = head.find(
    (text) =>
      text.length >= 3 &&
      text.length <= longestValue &&
      !text.includes(':') &&
      !isNotice(text) &&
      !/report|results|\bmy\b|\bdashboard\b/i.test(text) &&
      namedAsLab.test(text),
  );
  return withoutPerson(named, lastName);
}
