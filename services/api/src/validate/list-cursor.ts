import { createHash } from 'node:crypto';
import { readCursorText, writeCursorText } from '@pulsewire/kernel';
import { isDateTime } from './formats.ts';
import { fieldError, validationError } from './validate-request.ts';

/** Valid cursors are far shorter. */
const lengthMax = 512;

/** A short hash of a list's filters and team, so that a cursor of another list or team is invalid. */
function filterHash(filter: unknown): string {
  return createHash('sha256').update(JSON.stringify(filter)).digest('base64url').slice(0, 12);
}

export function writeCursor(filter: unknown, after: readonly (string | number)[]): string {
  return writeCursorText({ after, filter: filterHash(filter) });
}

/**
 * The position in a cursor; null without one. `shape` has the pattern of each part. Throws AppError `request_invalid` for
 * a text that is not a cursor of this list; `loc` is the path of its field.
 */
export function readCursor(
  text: string | null | undefined,
  { filter, shape, loc }: { readonly filter: unknown; readonly shape: readonly RegExp[]; readonly loc: readonly string[] },
): readonly string[] | null {
  if (text === null || text === undefined) return null;
  const refused = validationError([fieldError(loc, 'Must be a cursor from an earlier page of the same list', text)]);
  if (text.length > lengthMax) throw refused;
  const read = readCursorText(text) as { after?: unknown; filter?: unknown } | null;
  const parts = Array.isArray(read?.after) ? read.after.map(String) : [];
  const isOurs =
    read?.filter === filterHash(filter) &&
    parts.length === shape.length &&
    shape.every((pattern, i) => pattern.test(parts[i] ?? '') && (pattern !== instantShape || isDateTime(parts[i] ?? '')));
  if (!isOurs) throw refused;
  return parts;
}

export const uuidShape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
export const instantShape = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
export const numberShape = /^\d{1,9}$/;
