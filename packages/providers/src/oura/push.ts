import type { JsonNode } from '../kit/values/json-node.ts';
import { readNotices, readPushJson } from '../kit/push/parse-push.ts';
import { noticeBytesMax } from '../kit/push/push-limits.ts';
import { headerOf, hmacOf, isFresh, isSameText } from '../kit/push/signatures.ts';
import type { PushNotice, PushSupport } from '../kit/types/connector.ts';
import { objectIdOf } from './oura.ts';
import { ensureSubscriptions } from './subscriptions.ts';

/** Oura retries a notification for about an hour. */
const toleranceMs = 2 * 3_600_000;

function readNotice(body: JsonNode): PushNotice[] {
  const providerUserId = body.at('user_id').id();
  const event = body.at('event_type').text();
  const collection = body.at('data_type').text();
  const objectId = objectIdOf(collection, body.at('object_id').id());
  return [{ kind: event === 'delete' ? 'removed' : 'object', providerUserId, collection, objectId }];
}

/** Oura's notifications name one document. They are signed with the application's secret over the time and the body. */
export const ouraPush: PushSupport = {
  isSigned: true,
  acceptedStatus: 200,
  // Not 410: that would cancel the subscription.
  rejectedStatus: 401,
  bodyBytesMax: noticeBytesMax,
  replay: { signatureHeader: 'x-oura-signature', callsDiffer: true },

  mayBeValid: (push) =>
    /^[\da-f]{64}$/i.test(headerOf(push, 'x-oura-signature') ?? '') && /^\d{1,12}$/.test(headerOf(push, 'x-oura-timestamp') ?? ''),

  handshake({ method, query }, { verificationCode }) {
    const { challenge, verification_token: token } = query;
    if (method !== 'GET' || token === undefined) return null;
    const isRight = verificationCode !== null && isSameText(token, verificationCode);
    if (!isRight) return { status: 401, body: '' };
    return { status: 200, body: JSON.stringify({ challenge: challenge ?? '' }), contentType: 'application/json' };
  },

  verify(push, { application, now }) {
    const signature = headerOf(push, 'x-oura-signature');
    const timestamp = headerOf(push, 'x-oura-timestamp');
    if (signature === null || timestamp === null || !isFresh(Number(timestamp) * 1000, now, toleranceMs)) return false;
    const expected = hmacOf('sha256', application.clientSecret, [timestamp, push.body], 'hex');
    return isSameText(signature.toLowerCase(), expected);
  },

  parse: ({ body }) => readNotices([readPushJson(body)], readNotice),

  ensure: ensureSubscriptions,
};
