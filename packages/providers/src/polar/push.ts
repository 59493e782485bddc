import { addDays, dayToMs, msToDay } from '../kit/time/days.ts';
import type { JsonNode } from '../kit/values/json-node.ts';
import { readNotices, readPushJson } from '../kit/push/parse-push.ts';
import { noticeBytesMax } from '../kit/push/push-limits.ts';
import { headerOf, hmacOf, isSameText } from '../kit/push/signatures.ts';
import { parseInstant } from '../kit/time/time.ts';
import type { PushHead, PushNotice, PushSupport, PullWindow } from '../kit/types/connector.ts';
import { readLocalDay } from './time/parse-times.ts';
import { ensureWebhook, events } from './webhook.ts';

const names: ReadonlySet<string> = new Set(events);

/** The day at the end of the URL, such as `…/users/sleep/2025-05-14`. */
function dayInUrl({ value }: JsonNode): string | null {
  const day = typeof value === 'string' ? /\/(\d{4}-\d{2}-\d{2})$/.exec(value)?.[1] : undefined;
  return day === undefined || dayToMs(day) === undefined ? null : day;
}

/**
 * The day that an event names, in its date or else in its URL. An event without either is about the day of the event or the day
 * before, because it may already be tomorrow in UTC.
 */
function windowOf(body: JsonNode): PullWindow {
  const named = body.at('date').optional(readLocalDay) ?? dayInUrl(body.at('url'));
  if (named !== null) return { startDate: named, endDate: named };
  const today = msToDay(body.at('timestamp').time(parseInstant).ms);
  return { startDate: addDays(today, -1), endDate: today };
}

function readNotice(body: JsonNode): PushNotice[] {
  const event = body.at('event').text();
  const providerUserId = body.at('user_id').id();
  if (event === 'EXERCISE') return [{ kind: 'object', providerUserId, collection: event, objectId: body.at('entity_id').id() }];
  // SleepWise events have no resource here.
  if (!names.has(event)) return [];
  return [{ kind: 'changed', providerUserId, collection: event, window: windowOf(body) }];
}

/** `{"timestamp":"…","event":"PING"}` */
const pingBytesMax = 512;

const isSignature = (push: PushHead) => /^[\da-f]{64}$/i.test(headerOf(push, 'polar-webhook-signature') ?? '');

function isPing(body: Buffer): boolean {
  try {
    return readPushJson(body).at('event').value === 'PING';
  } catch {
    return false;
  }
}

/**
 * Polar's notifications name a day or one exercise. They are signed with the webhook's own secret over the body. The URL that
 * they contain is not followed; ours is built from the id.
 */
export const polarPush: PushSupport = {
  isSigned: true,
  acceptedStatus: 200,
  rejectedStatus: 401,
  bodyBytesMax: noticeBytesMax,
  replay: { signatureHeader: 'polar-webhook-signature', callsDiffer: true },

  mayBeValid: (push) => headerOf(push, 'polar-webhook-signature') === null || isSignature(push),

  // Polar tests a webhook before it shows the secret, so a ping cannot be verified; it has no effect.
  handshake: (push) => (push.method === 'POST' && push.body.length <= pingBytesMax && isPing(push.body) ? { status: 200, body: '' } : null),

  verify(push, { subscriptionSecret }) {
    const signature = headerOf(push, 'polar-webhook-signature');
    if (signature === null || subscriptionSecret === null) return false;
    return isSameText(signature.toLowerCase(), hmacOf('sha256', subscriptionSecret, [push.body], 'hex'));
  },

  parse: ({ body }) => readNotices([readPushJson(body)], readNotice),

  ensure: ensureWebhook,
};
