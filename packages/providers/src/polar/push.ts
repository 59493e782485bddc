import { msToDay } from '../kit/days.ts';
import type { JsonNode } from '../kit/json-node.ts';
import { readNotices, readPushJson } from '../kit/push/parse-push.ts';
import { headerOf, hmacOf, isSameText } from '../kit/push/signatures.ts';
import { parseInstant } from '../kit/time.ts';
import type { PushNotice, PushSupport } from '../kit/types.ts';
import { ensureWebhook, events } from './webhook.ts';

const names: ReadonlySet<string> = new Set(events);

function readNotice(body: JsonNode): PushNotice[] {
  const event = body.at('event').text();
  const providerUserId = body.at('user_id').id();
  if (event === 'EXERCISE') return [{ kind: 'object', providerUserId, collection: event, objectId: body.at('entity_id').id() }];
  // What the nights mean for being awake is no resource of ours.
  if (!names.has(event)) return [];
  const date = body.at('date').optional((node) => node.day()) ?? msToDay(body.at('timestamp').time(parseInstant).ms);
  return [{ kind: 'changed', providerUserId, collection: event, window: { startDate: date, endDate: date } }];
}

function isPing(body: Buffer): boolean {
  try {
    return readPushJson(body).at('event').value === 'PING';
  } catch {
    return false;
  }
}

/**
 * Polar's notifications: they name a day or one exercise. Signed with the webhook's own secret over the body. The address that they
 * give is not followed; ours is built from the id.
 */
export const polarPush: PushSupport = {
  isSigned: true,
  acceptedStatus: 200,
  rejectedStatus: 401,

  // A webhook is tried before its secret is told, so this cannot be verified; nothing comes of it.
  handshake: ({ method, body }) => (method === 'POST' && isPing(body) ? { status: 200, body: '' } : null),

  verify(push, { subscriptionSecret }) {
    const signature = headerOf(push, 'polar-webhook-signature');
    if (signature === null || subscriptionSecret === null) return false;
    return isSameText(signature.toLowerCase(), hmacOf('sha256', subscriptionSecret, [push.body], 'hex'));
  },

  parse: ({ body }) => readNotices([readPushJson(body)], readNotice),

  ensure: ensureWebhook,
};
