/** Prints to the person at the terminal. */
export interface Narrator {
  say(line: string): void;
  /** A line that replaces the last progress line at a terminal; elsewhere a separate line, at most every few seconds. */
  progress(line: string): void;
}

const plainProgressMs = 5000;

export function createNarrator(stream: NodeJS.WriteStream, nowMs: () => number): Narrator {
  let hasProgress = false;
  let lastProgressMs = Number.NEGATIVE_INFINITY;
  return {
    say(line) {
      if (hasProgress && stream.isTTY) stream.write('\r\u001B[2K');
      hasProgress = false;
      stream.write(`${line}\n`);
    },
    progress(line) {
      if (stream.isTTY) {
        stream.write(`\r\u001B[2K${line}`);
        hasProgress = true;
      } else if (nowMs() - lastProgressMs >= plainProgressMs) {
        lastProgressMs = nowMs();
        stream.write(`${line}\n`);
      }
    },
  };
}

export function count(number: number): string {
  return Math.round(number).toLocaleString('en-US');
}
