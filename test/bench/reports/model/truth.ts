/** The expected reading of one row; texts are as printed. */
export interface TrueRow {
  readonly name: string;
  readonly value: string;
  readonly unit: string | null;
  readonly min: number | null;
  readonly max: number | null;
  /** More than one when several are correct, such as for a number without a range. */
  readonly interpretations: readonly string[];
  readonly panel: string | null;
  /** Codes that identify this test; several when LOINC distinguishes methods that reports do not print. */
  readonly loinc: readonly string[];
}

/** A header field: each text that counts as correct, null when the report does not print it. */
export interface TrueHead {
  readonly patient_first_name: readonly (string | null)[];
  readonly patient_last_name: readonly (string | null)[];
  readonly dob: readonly (string | null)[];
  readonly gender: readonly (string | null)[];
  readonly lab_name: readonly (string | null)[];
  readonly date_reported: readonly (string | null)[];
  readonly date_collected: readonly (string | null)[];
  readonly specimen_number: readonly (string | null)[];
}

export interface Truth {
  readonly rows: readonly TrueRow[];
  readonly head: TrueHead;
}
