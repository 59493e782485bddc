import { createHmac } from 'node:crypto';

/** `X-Fitbit-Signature`: base64 of HMAC-SHA1 over the raw body, keyed with the client secret and an ampersand. */
export function signNotification(body: string, clientSecret: string): string {
  return createHmac('sha1', `${clientSecret}&`).update(body).digest('base64');
}
