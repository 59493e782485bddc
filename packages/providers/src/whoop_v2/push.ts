import type { JsonNode } from '../kit/values/json-node.ts';
import { readNotices, readPushJson } from '../kit/push/parse-push.ts';
import { noticeBytesMax } from '../kit/push/push-limits.ts';
import { headerOf, hmacOf, isFresh, isSameText } from '../kit/push/signatures.ts';
import type { PushNotice, PushSupport } from '../kit/types/connector.ts';

const staleAfterMs = 5 * 60_000;
const collections = new Set(['sleep', 'recovery', 'workout']);

function readNotice(item: JsonNode): PushNotice[] {
  const providerUserId = item.at('user_id').id();
  const objectId = item.at('id').id();
  const [collection = '', change = ''] = item.at('type').text().split('.');
  // Unknown kinds of events are ignored, not reported.
  if (!collections.has(collection)) return [];
  // A recovery has no record of its own: its deletion changes the record of its night.
  if (change === 'updated' || collection === 'recovery') return [{ kind: 'object', providerUserId, collection, objectId }];
  return change === 'deleted' ? [{ kind: 'removed', providerUserId, collection, objectId }] : [];
}

/** WHOOP's webhooks, set up by hand in its dashboard: they contain user, object and kind, never the data. */
export const whoopPush: PushSupport = {
  isSigned: true,
  acceptedStatus: 204,
  rejectedStatus: 401,
  bodyBytesMax: noticeBytesMax,
  replay: { signatureHeader: 'x-whoop-signature', callsDiffer: true },

  mayBeValid: (push) =>
    /^[\w+/]{43}=$/.test(headerOf(push, 'x-whoop-signature') ?? '') &&
    /^\d{1,16}$/.test(headerOf(push, 'x-whoop-signature-timestamp') ?? ''),

  handshake: () => null,

  verify(push, { application, now }) {
    const signature = headerOf(push, 'x-whoop-signature');
    const timestamp = headerOf(push, 'x-whoop-signature-timestamp');
    if (signature === null || timestamp === null || !/^\d{1,16}$/.test(timestamp)) return false;
    const expected = hmacOf('sha256', application.clientSecret, [timestamp, push.body], 'base64');
    return isSameText(signature, expected) && isFresh(Number(timestamp), now, staleAfterMs);
  },

  parse: ({ body }) => readNotices([readPushJson(body)], readNotice),
};
