/** A text for groff: no sign that it would read as a request, and no cell separators. */
export function roff(text: string | null | undefined): string {
  const escaped = (text ?? '')
    .replaceAll('\\', '\\e')
    .replaceAll('@', ' ')
    .replaceAll('^', '\\(ha')
    .replaceAll('~', '\\(ti')
    .replaceAll("'", '\\(aq');
  return /^[.']/.test(escaped) ? `\\&${escaped}` : escaped;
}

/** A table by tbl. Formats are one line for each kind of row, the last for all that follow. */
export function tbl(options: string, formats: readonly string[], rows: readonly (readonly string[] | string)[]): string {
  const lines = rows.map((row) => (typeof row === 'string' ? row : row.join('@')));
  return `.TS\n${options}${options === '' ? '' : ' '}tab(@);\n${formats.join('\n')}.\n${lines.join('\n')}\n.TE`;
}
