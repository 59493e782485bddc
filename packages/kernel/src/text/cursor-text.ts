/** Valid cursors are shorter, also those of the log with a point for each shard. */
const lengthMax = 8192;

/** The opaque text of a cursor. */
export function writeCursorText(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

const isPlain = (value: unknown): boolean =>
  typeof value === 'number' || (typeof value === 'string' && !value.includes('\0') && value.isWellFormed());

/**
 * The value in the text of a cursor, which anyone may have made: texts that Postgres accepts, numbers, lists and one object of these. Null
 * for any other text.
 */
export function readCursorText(text: string): unknown {
  if (text.length > lengthMax) return null;
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    return null;
  }
  const isRead = (part: unknown): boolean => (Array.isArray(part) ? part.every(isRead) : isPlain(part));
  if (typeof value !== 'object' || value === null) return null;
  return Object.values(value).every(isRead) ? value : null;
}
