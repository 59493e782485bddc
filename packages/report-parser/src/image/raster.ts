/** A page as grey values, one byte a pixel from 0 (black) to 255 (white), top row first. */
export interface Raster {
  readonly pixels: Uint8Array;
  readonly width: number;
  readonly height: number;
}

export const paper = 255;
