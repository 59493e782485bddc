import type { Cipher } from '@pulsewire/database';
import { labSealContext } from './sealed-columns.ts';

/** An ordered marker that a result belongs to. */
export interface SourceMarker {
  readonly markerId: number;
  readonly name: string;
  readonly slug: string;
  readonly providerId: string;
}

interface Measured {
  readonly name: string;
  readonly slug: string;
  readonly loinc: string | null;
  readonly loincSlug: string | null;
  readonly providerId: string;
  /** Null: not ordered. */
  readonly sourceMarkers: readonly SourceMarker[] | null;
}

export type ResultType = 'numeric' | 'range' | 'comment' | 'coded_value';
export type Interpretation = 'normal' | 'abnormal' | 'critical' | 'unknown';

export interface MeasuredResult extends Measured {
  readonly type: ResultType;
  readonly result: string;
  readonly unit: string | null;
  readonly referenceRange: string | null;
  readonly min: number | null;
  readonly max: number | null;
  readonly isAboveMax: boolean | null;
  readonly isBelowMin: boolean | null;
  readonly interpretation: Interpretation;
  /** As the lab flagged it. */
  readonly flag: string;
  readonly note: string | null;
  /** ISO. */
  readonly at: string;
}

export interface MissingResult extends Measured {
  readonly failure: string;
  readonly note: string | null;
  /** ISO; absent from results that were stored before it was. */
  readonly at?: string;
  /** The lab did not report it as missing: a final report lacks it. */
  readonly isInferred?: boolean;
}

/** A value that another report has replaced. Times are ISO. */
export interface FormerResult {
  readonly providerId: string;
  readonly name: string;
  readonly result: string;
  readonly unit: string | null;
  readonly at: string;
  readonly replacedAt: string;
}

/** The results of an order as they are now. Times are ISO. */
export interface OrderResults {
  readonly status: 'final' | 'partial';
  readonly interpretation: Interpretation;
  readonly sampleId: string;
  /** `gender`: as ordered; absent from results that were stored before it was. */
  readonly patient: { readonly name: string; readonly dob: string; readonly gender?: string };
  readonly physician: string | null;
  readonly lab: { readonly slug: string; readonly name: string };
  readonly isFasting: boolean;
  readonly timeZone: string | null;
  readonly collectedAt: string | null;
  readonly receivedAt: string | null;
  readonly reportedAt: string;
  readonly results: readonly MeasuredResult[];
  readonly missing: readonly MissingResult[];
  /** Replaced values, the oldest first; absent from results that were stored before it was. */
  readonly history?: readonly FormerResult[];
}

export function sealResults(cipher: Cipher, orderId: string, results: OrderResults): Buffer {
  return cipher.seal(JSON.stringify(results), labSealContext('lab_results', orderId));
}

export function openResults(cipher: Cipher, orderId: string, sealed: Buffer): OrderResults {
  return JSON.parse(cipher.open(sealed, labSealContext('lab_results', orderId))) as OrderResults;
}
