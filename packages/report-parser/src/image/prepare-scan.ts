import { findSkew } from './find-skew.ts';
import { levelPaper } from './level-paper.ts';
import type { Raster } from './raster.ts';
import { removeRules } from './remove-rules.ts';
import { removeSpecks } from './remove-specks.ts';
import { straighten } from './straighten.ts';

/** Pixels per inch at which OCR reads the usual fonts best. */
const dpi = 300;
/** The shorter side of the usual formats, Letter and A4. */
const inches = 8.4;
/** A small picture contains no more detail when it is enlarged further. */
const enlargedMax = 3;
/** Pixels of the prepared page, also if it is a long strip. */
const pixelsMax = 20_000_000;

export interface PreparedScan {
  readonly page: Raster;
  readonly dpi: number;
  /** Pixels of the page for each of the scan. */
  readonly scale: number;
}

/** A scan as OCR reads it best: white paper, no dust, no table lines, level, and of a fixed resolution. */
export function prepareScan(scan: Raster): PreparedScan {
  const level = levelPaper(removeSpecks(scan));
  const wanted = (dpi * inches) / Math.min(scan.width, scan.height);
  const scale = Math.min(wanted, enlargedMax, Math.sqrt(pixelsMax / (scan.width * scan.height)));
  return { page: removeRules(straighten(level, findSkew(level), scale), dpi), dpi, scale };
}
