import { AppError, isUuid, readCursorText, writeCursorText } from '@pulsewire/kernel';
import { isCalendarDay } from './time/log-days.ts';

// The format in which Postgres writes instants; Postgres might reject other formats that JavaScript parses.
const instantText = /^\d{4}-\d{2}-\d{2} (?:[01]\d|2[0-3])(?::[0-5]\d){2}(?:\.\d{1,6})?[+-](?:0\d|1[0-5])(?::[0-5]\d)?$/;

/** Encodes the sort key of a page's last element as an opaque cursor, valid only for `scope`: one list with its filters. */
export function encodeCursor(scope: string, at: string, id: string): string {
  return writeCursorText({ s: scope, a: at, i: id });
}

/** Throws AppError `cursor_invalid` for any text that `encodeCursor` did not produce for this scope. */
export function decodeCursor(scope: string, cursor: string): { readonly at: string; readonly id: string } {
  const { s, a, i } = (readCursorText(cursor) ?? {}) as Record<string, unknown>;
  if (s === scope && typeof a === 'string' && typeof i === 'string' && instantText.test(a) && isCalendarDay(a.slice(0, 10)) && isUuid(i))
    return { at: a, id: i };
  throw new AppError({ code: 'cursor_invalid', kind: 'invalid', message: 'The cursor cannot be read', details: { field: 'next_cursor' } });
}
