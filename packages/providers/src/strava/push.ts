import type { JsonNode } from '../kit/values/json-node.ts';
import { readNotices, readPushJson } from '../kit/push/parse-push.ts';
import { noticeBytesMax } from '../kit/push/push-limits.ts';
import { headerOf, hmacOf, isFresh, isSameText } from '../kit/push/signatures.ts';
import type { PushNotice, PushProof, PushSupport, RawPush } from '../kit/types/connector.ts';
import type { StravaValues } from './strava.ts';
import { ensureSubscription } from './subscription.ts';

const collection = 'activity';

function readNotice(item: JsonNode): PushNotice[] {
  const providerUserId = item.at('owner_id').id();
  const objectId = item.at('object_id').id();
  const [object, aspect] = [item.at('object_type').text(), item.at('aspect_type').text()];
  if (object === 'athlete') {
    const isRevoked = String(item.at('updates').at('authorized').value) === 'false' || aspect === 'delete';
    return isRevoked ? [{ kind: 'revoked', providerUserId }] : [];
  }
  if (object !== 'activity') return [];
  // The change in the event is not used: events are duplicated and unordered, so the activity is read again.
  return [{ kind: aspect === 'delete' ? 'removed' : 'object', providerUserId, collection, objectId }];
}

function subscriptionIdOf(body: Buffer): string | null {
  try {
    const id = readPushJson(body).at('subscription_id').value;
    return typeof id === 'number' || typeof id === 'string' ? String(id) : null;
  } catch {
    return null;
  }
}

/** Strava repeats an event for some minutes. */
const toleranceMs = 3_600_000;

/** `X-Strava-Signature: t=<seconds>,v1=<hex>`: the HMAC of time, dot and body with the application's secret. */
function isSigned(push: RawPush, { application, now }: PushProof): boolean {
  const match = /^t=(\d{1,12}),v1=([\da-f]{64})$/i.exec(headerOf(push, 'x-strava-signature') ?? '');
  if (match === null) return false;
  const [, seconds = '', signature = ''] = match;
  if (!isFresh(Number(seconds) * 1000, now, toleranceMs)) return false;
  return isSameText(signature.toLowerCase(), hmacOf('sha256', application.clientSecret, [`${seconds}.`, push.body], 'hex'));
}

/**
 * Strava's events name object, kind and owner, never the data. Its documents mention no signature and not every application gets
 * one, so it is required only if the operator configures it.
 */
export const createStravaPush = ({ pushSignature }: StravaValues): PushSupport => ({
  isSigned: false,
  acceptedStatus: 200,
  rejectedStatus: 403,
  bodyBytesMax: noticeBytesMax,

  handshake({ method, query }, { verificationCode }) {
    const challenge = query['hub.challenge'];
    if (method !== 'GET' || challenge === undefined) return null;
    const isOurs = verificationCode !== null && isSameText(query['hub.verify_token'] ?? '', verificationCode);
    if (!isOurs || query['hub.mode'] !== 'subscribe') return { status: 403, body: '' };
    return { status: 200, body: JSON.stringify({ 'hub.challenge': challenge }), contentType: 'application/json' };
  },

  verify(push, proof) {
    const { method, body } = push;
    const { subscriptionSecret } = proof;
    if (pushSignature !== 'off' && !isSigned(push, proof)) return false;
    const id = subscriptionIdOf(body);
    if (method !== 'POST' || id === null) return false;
    // Null while the subscription is being created: Strava may call before its id is known.
    return subscriptionSecret === null || isSameText(id, subscriptionSecret);
  },

  parse: ({ body }) => readNotices([readPushJson(body)], readNotice),
  ensure: ensureSubscription,
});
