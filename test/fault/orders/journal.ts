import { appendFileSync, existsSync, readFileSync } from 'node:fs';

/** Objects as lines of a file, which survive the process. */
export function openJournal<T extends object>(file: string, read: (item: T) => void): (item: T) => void {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
  for (const line of lines) {
    // The last line is incomplete when the process died while it was writing.
    try {
      read(JSON.parse(line) as T);
    } catch {
      continue;
    }
  }
  return (item) => {
    // A new line first, so that an incomplete one spoils only itself.
    appendFileSync(file, `\n${JSON.stringify(item)}`);
    read(item);
  };
}
