import type { Doubt } from './report.ts';

/** A word on a page. Origin top left; the unit is the point for text and the pixel for images: only ratios are compared. */
export interface Word {
  readonly text: string;
  readonly x: number;
  /** The baseline. */
  readonly y: number;
  readonly width: number;
  /** Height of the font. */
  readonly height: number;
  /** How certain OCR is of the word, 0 to 100; 0 when its ink contradicts it. Absent for a text layer. */
  readonly confidence?: number | undefined;
}

export interface Page {
  readonly words: readonly Word[];
  readonly width: number;
  readonly height: number;
  /** Mean confidence of the recognised words, 0 to 100; absent for a text layer. */
  readonly ocrConfidence?: number | undefined;
  /** Why any row of the page may be wrong: too few pixels, or lines whose cells cannot be joined surely. */
  readonly doubts?: readonly Doubt[];
}
