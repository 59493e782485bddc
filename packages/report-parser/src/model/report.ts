export type ResultType = 'numeric' | 'range' | 'comment' | 'boolean' | 'duration' | 'percentage' | 'ratio';
export type Interpretation = 'normal' | 'abnormal' | 'critical' | 'unknown';
export type SampleType = 'serum_plasma_blood' | 'urine' | 'saliva' | 'stool' | 'capillary_blood' | 'other' | 'unknown';
export type MeasurementKind = 'direct' | 'calculated' | 'ratio' | 'unknown';
export type LoincMatchStatus = 'auto_match' | 'needs_review' | 'no_match';

/** Why a file cannot be parsed. */
export type FailureReason = 'invalid_input' | 'low_quality' | 'not_english' | 'too_many_pages' | 'processing_error';

/** Why a result that was read may be wrong. */
export type Doubt =
  /** OCR is uncertain of a number, or its ink contradicts it. */
  | 'misread'
  /** The page has too few pixels to tell digits apart. */
  | 'resolution'
  /** The name and the value may be of different rows. */
  | 'pairing'
  /** The test is not reported in this unit, or the unit is damaged. */
  | 'unit'
  /** The value is far outside of its range, as if a decimal point were lost. */
  | 'scale'
  /** The results that belong together contradict each other, such as percentages that exceed 100. */
  | 'sum'
  /** It is unclear which of several columns is the current one. */
  | 'column'
  /** The report prints decimals both with points and with commas. */
  | 'decimal_sign';

export interface LoincMatch {
  readonly loincCode: string;
  readonly loincName: string;
  readonly displayName: string;
  readonly aliases: readonly string[];
  /** 0 to 1. */
  readonly confidenceScore: number;
}

export interface ReportResult {
  readonly testName: string;
  /** As printed, without footnote marks. */
  readonly value: string;
  readonly type: ResultType;
  readonly units: string | null;
  readonly minReferenceRange: number | null;
  readonly maxReferenceRange: number | null;
  readonly sourcePanelName: string | null;
  readonly sampleType: SampleType;
  readonly measurementKind: MeasurementKind;
  readonly interpretation: Interpretation;
  readonly isAboveMaxRange: boolean | null;
  readonly isBelowMinRange: boolean | null;
  /** Best first, at most five. */
  readonly loincMatches: readonly LoincMatch[];
  readonly loincMatchStatus: LoincMatchStatus;
}

/** Dates are as printed on the report. */
export interface ReportMetadata {
  readonly patientFirstName: string | null;
  readonly patientLastName: string | null;
  readonly dob: string | null;
  /** `other` also when it is not stated. */
  readonly gender: 'male' | 'female' | 'other';
  readonly labName: string | null;
  readonly dateReported: string | null;
  readonly dateCollected: string | null;
  readonly specimenNumber: string | null;
}

export interface ParsedReport {
  readonly metadata: ReportMetadata;
  readonly results: readonly ReportResult[];
}

/** An analyte that a printed test name can be matched with. */
export interface Analyte {
  readonly loincCode: string;
  readonly loincName: string;
  readonly displayName: string;
  readonly aliases: readonly string[];
  /** Units in which it is reported; empty when it has none. */
  readonly units: readonly string[];
}
