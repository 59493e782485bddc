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

/** A scan as OCR reads it best: white paper, no dust, no table lines, level, and of a fixed resolution. */
export function prepareScan(scan: Raster): { readonly page: Raster; readonly dpi: number } {
  const level = levelPaper(removeSpecks(scan));
  const scale = (dpi * inches) / Math.min(scan.width, scan.height);
  return { page: removeRules(straighten(level, findSkew(level), Math.max(0.4, Math.min(3, scale))), dpi), dpi };
}
