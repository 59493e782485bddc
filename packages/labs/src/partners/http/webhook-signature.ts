import { createHmac, timingSafeEqual } from 'node:crypto';
import { systemClock } from '@pulsewire/kernel';
import type { PartnerPush } from '../partner.ts';

const toleranceSeconds = 5 * 60;
/** More than any sender has secrets. */
const signaturesMax = 20;

const textOf = (headers: PartnerPush['headers'], name: string): string => {
  const value = headers[name];
  return typeof value === 'string' ? value : '';
};

/**
 * Whether a webhook has a valid signature of the last or next five minutes in the form of Standard Webhooks. The package of that name
 * computes its hash in JavaScript, which takes more than ten times as long: anybody may send a megabyte with a wrong signature.
 */
export function isSigned({ headers, body }: PartnerPush, secret: string): boolean {
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => textOf(headers, name));
  if (!id || !timestamp || !signatures || !/^\d{1,12}$/.test(timestamp)) return false;
  if (Math.abs(systemClock.now().getTime() / 1000 - Number(timestamp)) > toleranceSeconds) return false;
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest();
  return signatures
    .split(' ', signaturesMax)
    .filter((signature) => signature.startsWith('v1,'))
    .map((signature) => Buffer.from(signature.slice(3), 'base64'))
    .some((given) => given.length === expected.length && timingSafeEqual(given, expected));
}
