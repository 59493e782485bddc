export interface ParseLimits {
  readonly pagesMax: number;
  /** Pixels of an image before it is decoded. */
  readonly pixelsMax: number;
  /** Most words of a page; a page with more is not a report. */
  readonly wordsMax: number;
}

export const defaultLimits: ParseLimits = { pagesMax: 30, pixelsMax: 40_000_000, wordsMax: 20_000 };
