import { createHash } from 'node:crypto';
import { AppError } from '@pulsewire/kernel';

/** The next page starts after this sample. */
export interface SampleCursor {
  readonly provider: string;
  readonly sourceType: string;
  readonly tsMs: number;
  readonly series: number;
}

const latestMs = 253_402_300_799_999;
const seriesMax = 32_767;

/** Binds a cursor to its query, so that using it with another one is detected. */
export function filterHash(filter: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(filter)).digest('base64url').slice(0, 10);
}

/** Opaque text of a cursor. */
export function writeCursor(cursor: SampleCursor, hash: string): string {
  return Buffer.from(JSON.stringify([hash, cursor.provider, cursor.sourceType, cursor.tsMs, cursor.series])).toString('base64url');
}

/** Throws AppError `cursor_unreadable` (kind `invalid`) when the text is not a cursor of this query. */
export function readCursor(text: string, hash: string): SampleCursor {
  try {
    const [hashed, provider, sourceType, tsMs, series] = JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as unknown[];
    const isText = (value: unknown): value is string => typeof value === 'string' && !value.includes('\0') && value.isWellFormed();
    const isWhole = (value: unknown, max: number): value is number => Number.isInteger(value) && Math.abs(value as number) <= max;
    if (hashed === hash && isText(provider) && isText(sourceType) && isWhole(tsMs, latestMs) && isWhole(series, seriesMax)) {
      return { provider, sourceType, tsMs, series };
    }
  } catch {
    // All defects lead to the same error below.
  }
  throw new AppError({ code: 'cursor_unreadable', kind: 'invalid', message: 'next_cursor is not a cursor of this query' });
}
