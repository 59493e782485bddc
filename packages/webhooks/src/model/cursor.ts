import { AppError, isUuid } from '@pulsewire/kernel';
import { isCalendarDay } from './time/log-days.ts';

// The format in which Postgres writes instants; Postgres might reject other formats that JavaScript parses.
const instantText = /^\d{4}-\d{2}-\d{2} (?:[01]\d|2[0-3])(?::[0-5]\d){2}(?:\.\d{1,6})?[+-](?:0\d|1[0-5])(?::[0-5]\d)?$/;

/** Encodes the sort key of a page's last element as an opaque cursor, valid only for `scope`: one list with its filters. */
export function encodeCursor(scope: string, at: string, id: string): string {
  return Buffer.from(JSON.stringify({ s: scope, a: at, i: id })).toString('base64url');
}

/** Throws AppError `cursor_invalid` for any text that `encodeCursor` did not produce for this scope. */
export function decodeCursor(scope: string, cursor: string): { readonly at: string; readonly id: string } {
  try {
    const value = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')) as Record<string, unknown>;
    const { s, a, i } = value;
    if (s === scope && typeof a === 'string' && typeof i === 'string' && instantText.test(a) && isCalendarDay(a.slice(0, 10)) && isUuid(i))
      return { at: a, id: i };
  } catch {
    // Not JSON: reported below like every other invalid cursor.
  }
  throw new AppError({ code: 'cursor_invalid', kind: 'invalid', message: 'The cursor cannot be read', details: { field: 'next_cursor' } });
}
