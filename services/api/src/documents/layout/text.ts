import type { PDFFont } from '@cantoo/pdf-lib';

const replacement = '?';

/** Restricts text to the font's characters: unsupported accents are dropped, other characters become question marks. */
export function drawable(text: string, known: ReadonlySet<number>): string {
  return Array.from(text.replaceAll(/\s+/g, ' '))
    .flatMap((char) => {
      if (known.has(char.codePointAt(0) ?? 0)) return [char];
      const plain = Array.from(char.normalize('NFKD')).filter((part) => known.has(part.codePointAt(0) ?? 0));
      return plain.length > 0 ? plain : [replacement];
    })
    .join('');
}

/** Wraps text into lines no wider than `width`; longer words are broken. */
export function wrap(text: string, font: Pick<PDFFont, 'widthOfTextAtSize'>, size: number, width: number): readonly string[] {
  const fits = (line: string) => font.widthOfTextAtSize(line, size) <= width;
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const joined = line === '' ? word : `${line} ${word}`;
    if (fits(joined)) {
      line = joined;
      continue;
    }
    if (line !== '') lines.push(line);
    line = '';
    for (const char of word) {
      if (line !== '' && !fits(line + char)) {
        lines.push(line);
        line = '';
      }
      line += char;
    }
  }
  return [...lines, line];
}
