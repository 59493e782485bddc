import { ReportParseError } from './extract/failure.ts';
import { readTables, type PanelRow } from './layout/table.ts';
import { readMetadata } from './metadata/read-metadata.ts';
import type { Page } from './model/page.ts';
import type { MeasurementKind, ReportMetadata, ResultType, SampleType } from './model/report.ts';
import { interpret, readFlag, type Judgement } from './values/interpret.ts';
import { readRange } from './values/read-range.ts';
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
}

export interface ReadReport {
  readonly metadata: ReportMetadata;
  readonly results: readonly ReadResult[];
}

/** Below this mean confidence of OCR most numbers are unreliable. */
const ocrConfidenceMin = 60;
const english =
  /\b(?:test|result|results|range|reference|patient|name|date|collected|report|reported|laboratory|lab|normal|units?|flag|specimen|blood|serum|of|the|and)\b/gi;
const letters = /[a-z]{3,}/gi;

/** Reads a report from its words. Throws ReportParseError when the text is not a lab report in English. */
export function readReport(pages: readonly Page[]): ReadReport {
  const scanned = pages.filter(({ ocrConfidence }) => ocrConfidence !== undefined);
  // Blank pages, such as the backs of others, have no words.
  const printed = scanned.filter(({ words }) => words.length > 0);
  const confidence = printed.reduce((sum, { ocrConfidence = 0 }) => sum + ocrConfidence, 0) / Math.max(1, printed.length);
  const isBlank = printed.length === 0 && scanned.length < pages.length;
  if (scanned.length > 0 && !isBlank && confidence < ocrConfidenceMin)
    throw new ReportParseError('low_quality', 'The scan cannot be read reliably');
  const text = pages.flatMap(({ words }) => words.map((word) => word.text)).join(' ');
  const wordCount = text.match(letters)?.length ?? 0;
  const englishCount = text.match(english)?.length ?? 0;
  if (wordCount >= 20 && englishCount < Math.min(3, wordCount * 0.02))
    throw new ReportParseError('not_english', 'The report is not in English');
  const results = readTables(pages).map(toResult);
  if (results.length === 0) throw new ReportParseError('invalid_input', 'No lab results were found');
  return { metadata: readMetadata(pages), results };
}

function toResult(row: PanelRow): ReadResult {
  const unit = row.unit === '' ? null : (canonicalUnit(row.unit) ?? row.unit);
  const range = readRange(row.range, row.unit);
  const context = `${row.panel ?? ''} ${row.name}`;
  return {
    testName: row.name,
    value: row.value,
    type: typeOfValue(row.value),
    units: unit,
    minReferenceRange: range?.min ?? null,
    maxReferenceRange: range?.max ?? null,
    sourcePanelName: row.panel,
    sampleType: sampleOf(context, unit),
    measurementKind: kindOf(row.name),
    confidence: row.confidence ?? null,
    ...interpret(row.value, range, readFlag(row.flag)),
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
