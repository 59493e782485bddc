import { AppError, readCursorText, writeCursorText } from '@pulsewire/kernel';
import { shardCountMax, type TeamPoint } from '@pulsewire/eventlog';
import { isCalendarDay } from '../model/time/log-days.ts';

/** A position in the log for one list: the partitions to read, and a point for each shard. Offsets include their generation. */
export interface LogCursor {
  readonly day: string;
  readonly points: readonly TeamPoint[];
}

/** Encodes the position as an opaque cursor, valid only for `scope`: one list with its filters. */
export function encodeLogCursor(scope: string, { day, points }: LogCursor): string {
  return writeCursorText({ s: scope, d: day, p: points.map(({ shard, offset }) => [shard, offset]) });
}

const isIndex = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

/** Throws AppError `cursor_invalid` for any text that `encodeLogCursor` did not produce for this scope. */
export function decodeLogCursor(scope: string, text: string): LogCursor {
  const { s, d, p } = (readCursorText(text) ?? {}) as Record<string, unknown>;
  if (s === scope && typeof d === 'string' && isCalendarDay(d) && Array.isArray(p) && p.every((point) => Array.isArray(point))) {
    const points = (p as unknown[][]).map(([shard, offset]) => ({ shard, offset }));
    if (
      points.length <= shardCountMax &&
      points.every((point): point is TeamPoint => isIndex(point.shard) && point.shard < shardCountMax && isIndex(point.offset))
    )
      return { day: d, points };
  }
  throw new AppError({ code: 'cursor_invalid', kind: 'invalid', message: 'The cursor cannot be read', details: { field: 'next_cursor' } });
}
