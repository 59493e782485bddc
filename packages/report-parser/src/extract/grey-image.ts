/** Pixels (blue, green, red, alpha; top row first) as a grey PGM file, which the OCR engine decodes without a codec. */
export function toGreyImage(pixels: Uint8Array, width: number, height: number): Buffer {
  const header = Buffer.from(`P5\n${width} ${height}\n255\n`, 'latin1');
  const file = Buffer.alloc(header.length + width * height);
  header.copy(file);
  for (let from = 0, to = header.length; to < file.length; from += 4, to++) {
    file[to] = ((pixels[from] ?? 0) * 29 + (pixels[from + 1] ?? 0) * 150 + (pixels[from + 2] ?? 0) * 77) >> 8;
  }
  return file;
}
