import { createHash } from 'node:crypto';
import { AppError, readCursorText, writeCursorText } from '@pulsewire/kernel';

/** The next page starts after this sample. */
export interface SampleCursor {
  readonly provider: string;
  readonly sourceType: string;
  readonly tsMs: number;
  readonly series: number;
}

// The first and last instant of the years 1 to 9999, which every reader of instants knows.
const [earliestMs, latestMs] = [Date.parse('0001-01-01T00:00:00Z'), Date.parse('9999-12-31T23:59:59.999Z')];
const seriesMax = 32_767;

/** Binds a cursor to its query, so that using it with another one is detected. */
export function filterHash(filter: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(filter)).digest('base64url').slice(0, 10);
}

/** Opaque text of a cursor. */
export function writeCursor(cursor: SampleCursor, hash: string): string {
  return writeCursorText([hash, cursor.provider, cursor.sourceType, cursor.tsMs, cursor.series]);
}

/** Throws AppError `cursor_unreadable` (kind `invalid`) when the text is not a cursor of this query. */
export function readCursor(text: string, hash: string): SampleCursor {
  const value = readCursorText(text);
  const [hashed, provider, sourceType, tsMs, series] = Array.isArray(value) ? (value as unknown[]) : [];
  const isWhole = (part: unknown, min: number, max: number): part is number =>
    Number.isInteger(part) && (part as number) >= min && (part as number) <= max;
  if (
    hashed === hash &&
    typeof provider === 'string' &&
    typeof sourceType === 'string' &&
    isWhole(tsMs, earliestMs, latestMs) &&
    isWhole(series, -seriesMax, seriesMax)
  )
    return { provider, sourceType, tsMs, series };
  throw new AppError({ code: 'cursor_unreadable', kind: 'invalid', message: 'next_cursor is not a cursor of this query' });
}
