import type { JsonNode } from '../kit/json-node.ts';
import { readNotices, readPushJson } from '../kit/push/parse-push.ts';
import { isSameText } from '../kit/push/signatures.ts';
import type { PushNotice, PushSupport } from '../kit/types.ts';
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
  // What changed is not taken from the event: events come twice and in any order, so the activity is read again.
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

/** Strava's events: they name object, kind and owner, never the data, and nothing is signed. */
export const stravaPush: PushSupport = {
  isSigned: false,
  acceptedStatus: 200,
  rejectedStatus: 403,

  handshake({ method, query }, { verificationCode }) {
    const challenge = query['hub.challenge'];
    if (method !== 'GET' || challenge === undefined) return null;
    const isOurs = verificationCode !== null && isSameText(query['hub.verify_token'] ?? '', verificationCode);
    if (!isOurs || query['hub.mode'] !== 'subscribe') return { status: 403, body: '' };
    return { status: 200, body: JSON.stringify({ 'hub.challenge': challenge }), contentType: 'application/json' };
  },

  verify({ method, body }, { subscriptionSecret }) {
    const id = subscriptionIdOf(body);
    if (method !== 'POST' || id === null) return false;
    // Null while the subscription is being made: Strava may call before we know its id.
    return subscriptionSecret === null || isSameText(id, subscriptionSecret);
  },

  parse: ({ body }) => readNotices([readPushJson(body)], readNotice),
  ensure: ensureSubscription,
};
