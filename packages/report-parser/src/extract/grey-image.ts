import type { Raster } from '../image/raster.ts';

/** A page as a PGM file, which the OCR engine decodes without a codec. */
export function toGreyImage({ pixels, width, height }: Raster): Buffer {
  return Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`, 'latin1'), pixels]);
}
