const widthMax = 140;

/** The words of a text; code spans and links stay in one piece where one fits on a line. */
function wordsOf(text: string): string[] {
  const words = text.match(/(?:`[^`]*`|\[[^\]]*\]\([^)]*\)|\S)+/g) ?? [];
  return words.flatMap((word) => (word.length < widthMax ? [word] : word.split(' ')));
}

/** An item of a Markdown list whose lines are at most 140 characters long, as far as its words allow. */
export function markdownItem(text: string): string {
  const lines: string[] = [];
  let line = '-';
  for (const word of wordsOf(text)) {
    const isFull = line.trim() !== '-' && line.trim() !== '' && line.length + 1 + word.length > widthMax;
    // A line that begins with one of these would begin another item.
    if (isFull && !/^(?:[-+*]|\d+[.)])$/.test(word)) {
      lines.push(line);
      line = ` `;
    }
    line += ` ${word}`;
  }
  return [...lines, line].join('\n');
}
