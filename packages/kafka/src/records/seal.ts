import { createHmac, timingSafeEqual } from 'node:crypto';
import type { LogIdentity } from '@pulsewire/eventlog';
import { headerText, type IncomingHeaders } from './event-record.ts';

/** All headers that a dispatcher relies on, in a fixed order. */
const sealedHeaders = [
  'ce_installation',
  'event_id',
  'ce_type',
  'team_id',
  'user_id',
  'client_user_id',
  'shard',
  'sequence',
  'day',
  'origin',
  'written_at',
  'trace_id',
  'data_exact',
] as const;

const sealBytes = 16;

function compute({ macKey }: LogIdentity, headers: IncomingHeaders, value: Buffer | null): Buffer {
  // Each text is preceded by its length, so that two different lists of headers never have the same encoding.
  let text = '';
  for (const name of sealedHeaders) {
    const one = headerText(headers, name);
    text += one === null ? '-' : `${one.length}:${one}`;
  }
  const mac = createHmac('sha256', macKey).update(text);
  if (value !== null) mac.update(value);
  return mac.digest().subarray(0, sealBytes);
}

/** The header `mac` of a record: HMAC-SHA-256 over everything that a dispatcher relies on. */
export function sealOf(identity: LogIdentity, headers: IncomingHeaders, value: Buffer | null): string {
  return compute(identity, headers, value).toString('base64url');
}

/**
 * Whether a record was written by this installation. Write access to the topic without read access to the database is not enough to forge
 * one.
 */
export function isSealed(identity: LogIdentity, headers: IncomingHeaders, value: Buffer | null): boolean {
  const mac = Buffer.from(headerText(headers, 'mac') ?? '', 'base64url');
  return mac.length === sealBytes && timingSafeEqual(mac, compute(identity, headers, value));
}
