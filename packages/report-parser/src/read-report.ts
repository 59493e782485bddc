import { ReportParseError } from './extract/failure.ts';
import { readTables, type PanelRow } from './layout/table.ts';
import { readHead } from './metadata/read-metadata.ts';
import type { Page } from './model/page.ts';
import { doubtsOfRows, type CheckedRow } from './checks/doubts-of-rows.ts';
import { knownAnalyte } from './loinc/known-analytes.ts';
import { countUnreadRows } from './checks/unread-rows.ts';
import type { Doubt, MeasurementKind, ReportMetadata, ResultType, SampleType } from './model/report.ts';
import { interpret, interpretFinding, readFlag, type Judgement } from './values/interpret.ts';
import { readRange, type ReferenceRange } from './values/read-range.ts';
import { decimalSignOf, normaliseNumbers } from './values/normalise-numbers.ts';
import { rangeForPatient, type Patient } from './values/range-for-patient.ts';
import { typeOfValue } from './values/read-value.ts';
import { canonicalUnit } from './values/units.ts';

/** A result as the report states it, before it is matched with an analyte. */
export interface ReadResult extends Judgement {
  readonly testName: string;
  readonly value: string;
  readonly type: ResultType;
  readonly units: string | null;
  readonly minReferenceRange: number | null;
  readonly maxReferenceRange: number | null;
  readonly sourcePanelName: string | null;
  readonly sampleType: SampleType;
  readonly measurementKind: MeasurementKind;
  /** How certain OCR is of the numbers of the value and the range, 0 to 100; null for a text layer. */
  readonly confidence: number | null;
  /** Why the result may be wrong; empty when nothing contradicts it. */
  readonly doubts: readonly Doubt[];
}

export interface ReadReport {
  readonly metadata: ReportMetadata;
  readonly results: readonly ReadResult[];
  /** Lines with the name of a usual test and a number that are not among the results. */
  readonly unreadRows: number;
}

/** OCR that is less certain of a number may have misread it: of the generated noisy scans, a tenth of the results, most with a wrong number. */
const certainMin = 60;
/** Of the words of names that were read rightly, one in a hundred is below; of the misread ones almost all are. */
const certainNameMin = 65;
/** Below this mean confidence of OCR most numbers are unreliable. */
const ocrConfidenceMin = 60;
const english =
  /\b(?:test|result|results|range|reference|patient|name|date|collected|report|reported|laboratory|lab|normal|units?|flag|specimen|blood|serum|of|the|and)\b/gi;
const letters = /[a-z]{3,}/gi;

/** Reads a report from its words. Throws ReportParseError when the text is not a lab report in English. */
export function readReport(printed: readonly Page[]): ReadReport {
  const decimalSign = decimalSignOf(printed);
  const pages = normaliseNumbers(printed, decimalSign);
  const scanned = pages.filter(({ ocrConfidence }) => ocrConfidence !== undefined);
  // Blank pages, such as the backs of others, have no words.
  const filled = scanned.filter(({ words }) => words.length > 0);
  const confidence = filled.reduce((sum, { ocrConfidence = 0 }) => sum + ocrConfidence, 0) / Math.max(1, filled.length);
  const isBlank = filled.length === 0 && scanned.length < pages.length;
  if (scanned.length > 0 && !isBlank && confidence < ocrConfidenceMin)
    throw new ReportParseError('low_quality', 'The scan cannot be read reliably');
  const text = pages.flatMap(({ words }) => words.map((word) => word.text)).join(' ');
  const wordCount = text.match(letters)?.length ?? 0;
  const englishCount = text.match(english)?.length ?? 0;
  const { metadata, patient } = readHead(pages);
  const rows = readTables(pages, metadata.dateCollected);
  // A printout of abbreviations has hardly any other words.
  const knownCount = rows.filter(({ name }) => knownAnalyte(name) !== undefined).length;
  if (wordCount >= 20 && englishCount + knownCount < Math.min(3, wordCount * 0.02))
    throw new ReportParseError('not_english', 'The report is not in English');
  if (rows.length === 0) throw new ReportParseError('invalid_input', 'No lab results were found');
  const read = rows.map((row) => ({ row, ...fieldsOf(row, patient) }));
  const checked = doubtsOfRows(read.map(({ row, unit, range }) => toChecked(row, unit, range, pages)));
  const results = read.map(({ row, unit, range }, index) => {
    const isAmbiguous = decimalSign === 'mixed' && /\d,\d/.test(`${row.value} ${row.range}`);
    const isMisread = (row.confidence ?? 100) < certainMin || (row.nameConfidence ?? 100) < certainNameMin;
    const doubts = new Set<Doubt>([...(checked[index] ?? []), ...(row.doubts ?? []), ...(pages[row.page ?? 0]?.doubts ?? [])]);
    if (isAmbiguous) doubts.add('decimal_sign');
    if (isMisread) doubts.add('misread');
    return toResult(row, unit, range, [...doubts]);
  });
  return {
    metadata,
    results,
    unreadRows: countUnreadRows(
      pages,
      rows.map(({ name }) => name),
    ),
  };
}

function fieldsOf(row: PanelRow, patient: Patient) {
  const unit = row.unit === '' ? null : (canonicalUnit(row.unit) ?? row.unit);
  return { unit, range: readRange(row.range, row.unit) ?? rangeForPatient(row.range, row.unit, patient) };
}

function toChecked(row: PanelRow, unit: string | null, range: ReferenceRange | undefined, pages: readonly Page[]): CheckedRow {
  const page = row.page ?? 0;
  return {
    name: row.name,
    value: row.value,
    unit,
    min: range?.min ?? null,
    max: range?.max ?? null,
    rangeText: row.range,
    panel: row.panel,
    page,
    isScanned: pages[page]?.ocrConfidence !== undefined,
  };
}

/** A doubtful value is compared with nothing: only the report's own flag says what it means. */
function toResult(row: PanelRow, unit: string | null, range: ReferenceRange | undefined, doubts: readonly Doubt[]): ReadResult {
  const context = `${row.panel ?? ''} ${row.name}`;
  const type = typeOfValue(row.value);
  const finding = doubts.length === 0 ? interpretFinding(row.value, row.range) : undefined;
  return {
    testName: row.name,
    value: row.value,
    type: row.isShare && type === 'numeric' ? 'percentage' : type,
    units: unit,
    minReferenceRange: range?.min ?? null,
    maxReferenceRange: range?.max ?? null,
    sourcePanelName: row.panel,
    sampleType: sampleOf(context, unit),
    measurementKind: kindOf(row.name),
    confidence: row.confidence ?? null,
    doubts,
    ...interpret(row.value, doubts.length === 0 ? range : undefined, readFlag(row.flag) ?? finding),
  };
}

function sampleOf(context: string, unit: string | null): SampleType {
  if (/\burin|\bur\b|\bua\b|urinalysis/i.test(context) || unit === '/HPF' || unit === '/LPF') return 'urine';
  if (/saliva/i.test(context)) return 'saliva';
  if (/stool|fecal|faecal/i.test(context)) return 'stool';
  if (/capillary|dried blood|finger ?stick/i.test(context)) return 'capillary_blood';
  return /serum|plasma|blood|\bcbc\b|metabolic|lipid|thyroid/i.test(context) ? 'serum_plasma_blood' : 'unknown';
}

function kindOf(name: string): MeasurementKind {
  if (/ratio|\/hdl/i.test(name)) return 'ratio';
  return /calc|estimated|\begfr\b/i.test(name) ? 'calculated' : 'direct';
}
