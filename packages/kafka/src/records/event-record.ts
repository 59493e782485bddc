import { uuidToBase62 } from '@pulsewire/kernel';
import type { EventOrigin, LogEvent } from '@pulsewire/eventlog';

/** A record on its way to a topic. */
export interface OutgoingRecord {
  readonly partition: number;
  readonly key: string;
  readonly value: Buffer | null;
  readonly headers: Record<string, string>;
}

/** Headers as a client returns them. */
export type IncomingHeaders = Readonly<Record<string, Buffer | string | readonly (Buffer | string)[] | undefined>>;

/** An event without its body. */
export type EventHead = Omit<LogEvent, 'body'>;

const noTrace = '0'.repeat(32);

/** Headers of an event's record: CloudEvents in binary mode, and the fields that the log needs to restore the event. */
export function headersOf(event: LogEvent, isExact: boolean): Record<string, string> {
  const headers: Record<string, string> = {
    ce_specversion: '1.0',
    ce_id: `msg_${uuidToBase62(event.eventId)}`,
    ce_type: event.eventType,
    ce_source: `/teams/${event.teamId}`,
    ce_time: new Date(event.writtenAt).toISOString(),
    'content-type': 'application/avro',
    event_id: event.eventId,
    team_id: event.teamId,
    shard: String(event.shard),
    sequence: String(event.offset),
    day: event.day,
    origin: event.origin,
    written_at: String(event.writtenAt),
  };
  if (event.userId !== null) {
    headers['ce_subject'] = event.userId;
    headers['user_id'] = event.userId;
  }
  if (event.clientUserId !== null) headers['client_user_id'] = event.clientUserId;
  if (event.traceId !== null) {
    headers['trace_id'] = event.traceId;
    // The span id is the random half of the event's id.
    if (event.traceId.length === 32 && event.traceId !== noTrace)
      headers['traceparent'] = `00-${event.traceId}-${event.eventId.replaceAll('-', '').slice(16)}-01`;
  }
  // Readers that need the exact bytes of a webhook then read them from Postgres; the typed values are the same.
  if (!isExact) headers['data_exact'] = 'false';
  return headers;
}

/** The first value of a header as text; null when it is missing. */
export function headerText(headers: IncomingHeaders, name: string): string | null {
  const value = headers[name];
  const first = Array.isArray(value) ? (value as readonly (Buffer | string)[])[0] : (value as Buffer | string | undefined);
  return first === undefined ? null : first.toString();
}

/** The form of records. Raised when an older program must not use them; records of this form have no header for it. */
const recordFormat = 1;

/** Whether a newer version has written a record in a form that this one does not know. */
export function isNewerFormat(headers: IncomingHeaders): boolean {
  const format = headerText(headers, 'record_format');
  return format !== null && !(Number(format) <= recordFormat);
}

function whole(value: string | null): number | null {
  if (value === null || !/^\d{1,16}$/.test(value)) return null;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : null;
}

/** An event's place in the log. */
export interface EventAddress {
  readonly shard: number;
  readonly offset: number;
  readonly day: string;
}

/** The place of a record's event; null for a foreign record. */
export function addressOf(headers: IncomingHeaders): EventAddress | null {
  const shard = whole(headerText(headers, 'shard'));
  const offset = whole(headerText(headers, 'sequence'));
  const day = headerText(headers, 'day');
  if (shard === null || offset === null || day === null || !/^\d{4}-\d{2}-\d{2}$/.test(day)) return null;
  return { shard, offset, day };
}

/**
 * The event of a record without its body; null when headers are missing. `isExact`: see `headersOf`; `address`: when it is known already.
 */
export function headOf(
  headers: IncomingHeaders,
  address: EventAddress | null = addressOf(headers),
): { readonly head: EventHead; readonly isExact: boolean } | null {
  const eventId = headerText(headers, 'event_id');
  const eventType = headerText(headers, 'ce_type');
  const teamId = headerText(headers, 'team_id');
  const writtenAt = whole(headerText(headers, 'written_at'));
  if (address === null || eventId === null || eventType === null || teamId === null || writtenAt === null) return null;
  const origin: EventOrigin = headerText(headers, 'origin') === 'historical' ? 'historical' : 'live';
  const userId = headerText(headers, 'user_id');
  const { shard, offset, day } = address;
  const head = {
    shard,
    offset,
    day,
    eventId,
    eventType,
    teamId,
    userId,
    clientUserId: headerText(headers, 'client_user_id'),
    origin,
    traceId: headerText(headers, 'trace_id'),
    writtenAt,
  };
  return { head, isExact: headerText(headers, 'data_exact') !== 'false' };
}
