/** Cells at fixed columns of a line of text; a cell that is too long pushes the others on, as printers did. */
export function columns(widths: readonly number[], cells: readonly (string | null | undefined)[]): string {
  let line = '';
  cells.forEach((cell, index) => {
    const width = widths[index] ?? 10;
    const text = cell ?? '';
    line += width < 0 ? `${text.padStart(-width - 1)} ` : text.padEnd(width);
    if (width > 0 && text.length >= width) line += ' ';
  });
  return line.trimEnd();
}

export function centred(text: string, width: number): string {
  return `${' '.repeat(Math.max(0, Math.floor((width - text.length) / 2)))}${text}`;
}

/** A long text in lines of at most so many characters. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + word.length + 1 > width) {
      lines.push(line);
      line = '';
    }
    line = line === '' ? word : `${line} ${word}`;
  }
  return line === '' ? lines : [...lines, line];
}

/** Pages of lines, each with a header, parted by form feeds. */
export function paged(lines: readonly string[], perPage: number, header: (page: number, pages: number) => string[]): string {
  const pages = Math.max(1, Math.ceil(lines.length / perPage));
  const texts = Array.from({ length: pages }, (_, index) =>
    [...header(index + 1, pages), ...lines.slice(index * perPage, (index + 1) * perPage)].join('\n'),
  );
  return texts.join('\n\f');
}
