/** What is right for a printed report: written beside its file, and compared with what a reader makes of it. */
export interface Truth {
  layout: string;
  country: Country;
  engine: Engine;
  variant: Variant;
  seed: string;
  /** The files of the report; a photographed report has one for each page. */
  files: string[];
  person: Person;
  rows: Row[];
  /** Printed texts with numbers that are no results of this report. */
  notRows: string[];
}

export type Country = 'us' | 'uk' | 'in';
export type Engine = 'chromium' | 'latex' | 'libreoffice' | 'groff' | 'enscript' | 'reportlab';
export type Variant = 'text' | 'scan' | 'photo';
export type Interpretation = 'normal' | 'abnormal' | 'critical';

/** Null is what the report does not print. Dates are ISO; a time without zone follows where one is printed. */
export interface Person {
  name: string | null;
  firstName: string | null;
  lastName: string | null;
  dob: string | null;
  sex: 'male' | 'female' | null;
  labName: string | null;
  collected: string | null;
  reported: string | null;
  /** A date that does not say of what: right for either of the two before. */
  otherDate: string | null;
}

export interface Row {
  /** As printed; a name that continues on the next line is joined with a blank. */
  name: string;
  /** As printed, without the flag, even where the flag stands in the same cell. */
  value: string;
  numeric: number | null;
  comparator: '<' | '>' | '<=' | '>=' | null;
  unit: string | null;
  /** Bounds that hold for this patient. */
  range: { low: number | null; high: number | null; text: string | null };
  /** As printed; null where only bold or coloured type, or nothing, tells. */
  flag: string | null;
  emphasis: 'bold' | 'colour' | 'position' | null;
  /** What the report itself says by a flag, or by its range; null where it says neither. */
  interpretation: Interpretation | null;
  /** What a laboratory professional would assign; null where the print does not decide. */
  loinc: string | null;
  /** Other codes that the print allows as well. */
  loincAlso: string[];
  section: string | null;
  specimen: string | null;
  /** Why there is no result, where the report says so. */
  notMeasured: boolean;
  /** Older results of a cumulative report, as printed. */
  previous: { title: string; value: string }[];
}
