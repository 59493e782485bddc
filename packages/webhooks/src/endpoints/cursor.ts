import { AppError } from '@pulsewire/kernel';

/** Sort key of the last element of a page, as an opaque text. `scope` names the list and its filters: a cursor fits no other. */
export function encodeCursor(scope: string, at: string, id: string): string {
  return Buffer.from(JSON.stringify({ s: scope, a: at, i: id })).toString('base64url');
}

/** Throws AppError `cursor_invalid` for anything that `encodeCursor` did not make for this scope. */
export function decodeCursor(scope: string, cursor: string): { readonly at: string; readonly id: string } {
  try {
    const value = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')) as Record<string, unknown>;
    const { s, a, i } = value;
    if (s === scope && typeof a === 'string' && typeof i === 'string' && !Number.isNaN(Date.parse(a)) && /^[0-9a-f-]{36}$/.test(i))
      return { at: a, id: i };
  } catch {
    // Not JSON: told below like everything else that is not ours.
  }
  throw new AppError({ code: 'cursor_invalid', kind: 'invalid', message: 'The cursor cannot be read', details: { field: 'next_cursor' } });
}
