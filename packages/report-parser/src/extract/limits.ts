export interface ParseLimits {
  readonly pagesMax: number;
  /** Pixels of an image before it is decoded. */
  readonly pixelsMax: number;
  /** Most words of a page; a page with more is not a report. */
  readonly wordsMax: number;
  /** Threads that recognise the text of scans. Each uses about 100 MB of memory. */
  readonly ocrThreads: number;
}

export const defaultLimits: ParseLimits = { pagesMax: 30, pixelsMax: 40_000_000, wordsMax: 20_000, ocrThreads: 2 };
