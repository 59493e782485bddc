/** How the page of a report passes its data to its own script; known clients look for different names. */
const openings = ['window.report', 'DataForLibreDailyLog'] as const;

/** The text from the brace at `start` to its closing brace, ignoring braces inside strings. Undefined when there is no closing brace. */
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

/** The JSON object in the page of a report; undefined for a page without one, such as a bot-protection page. */
export function readReport(html: string): unknown {
  for (const name of openings) {
    const assignment = new RegExp(`${name.replace('.', '\\.')}\\s*=\\s*(?=\\{)`, 'i').exec(html);
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
