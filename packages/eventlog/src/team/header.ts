import type { EventOrigin } from '../model/types.ts';

/** An event of the log without its body. */
export interface EventHeader {
  readonly shard: number;
  readonly offset: number;
  readonly day: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly userId: string | null;
  readonly origin: EventOrigin;
  /** Ms since the epoch. */
  readonly writtenAt: number;
  /** Whether its body was erased with its user. */
  readonly isErased: boolean;
}

/** A row as the queries of this folder select it (`headerColumns`). */
export interface HeaderRow {
  shard: number;
  offset: string;
  day: string;
  event_id: string;
  event_type: string;
  user_id: string | null;
  is_historical: boolean;
  written_at: string;
  is_erased: boolean;
}

/** Columns of a header. Checks whether a body was erased only when the reference to the user is gone. */
export const headerColumns = `shard, "offset", day, event_id, event_type, user_id, is_historical, written_at,
  (user_id IS NOT NULL AND client_user_id IS NULL AND packed IS NULL AND json = '{}') AS is_erased`;

export function toHeader(row: HeaderRow): EventHeader {
  return {
    shard: row.shard,
    offset: Number(row.offset),
    day: row.day,
    eventId: row.event_id,
    eventType: row.event_type,
    userId: row.user_id,
    origin: row.is_historical ? 'historical' : 'live',
    writtenAt: Number(row.written_at),
    isErased: row.is_erased,
  };
}
