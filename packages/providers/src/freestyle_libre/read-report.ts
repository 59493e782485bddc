/** How a page of a report gives its data to its own script; the name differs between the pages of known clients. */
const openings = ['window.Report', 'DataForLibreDailyLog'] as const;

/** From the brace at `start` to the one that closes it; braces inside of strings do not count. Undefined when it never closes. */
function objectAt(text: string, start: number): string | undefined {
  let depth = 0;
  let isInString = false;
  for (let at = start; at < text.length; at++) {
    const sign = text[at];
    if (isInString) {
      if (sign === '\\') at += 1;
      else if (sign === '"') isInString = false;
    } else if (sign === '"') isInString = true;
    else if (sign === '{') depth += 1;
    else if (sign === '}') {
      depth -= 1;
      if (depth === 0) return text.slice(start, at + 1);
    }
  }
  return undefined;
}

/** The one JSON object that the page of a report carries; undefined for a page without one, such as one that blocks robots. */
export function readReport(html: string): unknown {
  for (const name of openings) {
    const assignment = new RegExp(`${name.replace('.', '\\.')}\\s*=\\s*(?=\\{)`).exec(html);
    const json = assignment === null ? undefined : objectAt(html, assignment.index + assignment[0].length);
    if (json === undefined) continue;
    try {
      return JSON.parse(json) as unknown;
    } catch {
      return undefined;
    }
  }
  return undefined;
}
