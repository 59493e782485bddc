import { AppError, errorCode, isAppError } from '@pulsewire/kernel';
import type { JsonNode } from '../kit/values/json-node.ts';
import { readNotices, readPushItems, readPushJson } from '../kit/push/parse-push.ts';
import { headerOf, hmacOf, isSameText } from '../kit/push/signatures.ts';
import type { ProviderHttp, PullUser, PushNotice, PushSupport, SubscribeCall } from '../kit/types/connector.ts';

/** Collections that a user can be subscribed to, and the scope that Fitbit requires for each. */
const collections: readonly { readonly name: string; readonly scope: string | null }[] = [
  { name: 'activities', scope: 'activity' },
  { name: 'body', scope: 'weight' },
  { name: 'foods', scope: 'nutrition' },
  { name: 'sleep', scope: 'sleep' },
  { name: 'userRevokedAccess', scope: null },
];

const revocation = 'userRevokedAccess';
const accepted = 204;
const rejected = 404;
const subscriptionIdLengthMax = 50;
/** About 8,000 notices. */
const bodyBytesMax = 1024 * 1024;

/** Fitbit requires one id per collection. The first four letters distinguish the five collections. */
function subscriptionPath(collection: string, subscriptionId: string): string {
  const id = `${subscriptionId}-${collection.slice(0, 4)}`;
  if (id.length > subscriptionIdLengthMax) {
    throw new AppError({
      code: 'subscription_id_too_long',
      kind: 'bug',
      message: 'Fitbit accepts subscription ids of at most 50 characters.',
    });
  }
  return `/1/user/-/${collection}/apiSubscriptions/${encodeURIComponent(id)}.json`;
}

function grantedCollections(user: PullUser): string[] {
  return collections.filter(({ scope }) => scope === null || user.grantedScopes.includes(scope)).map(({ name }) => name);
}

/**
 * 409: this user already has such a subscription, under this id or another, so notifications arrive. A collection that Fitbit refuses
 * is left to polling and must not prevent the subscription of the following ones.
 */
function canContinueAfter(error: unknown): boolean {
  return isAppError(error) && (error.details['status'] === 409 || error.code === 'provider_scope_missing');
}

async function subscribe({ http, user, subscriptionId }: Pick<SubscribeCall, 'http' | 'user' | 'subscriptionId'>): Promise<void> {
  for (const collection of grantedCollections(user)) {
    try {
      await http.post(subscriptionPath(collection, subscriptionId));
    } catch (error) {
      if (!canContinueAfter(error)) throw error;
    }
  }
}

/** Error codes that mean that there is no such subscription. */
const goneCodes: ReadonlySet<string> = new Set(['provider_permanent', 'provider_scope_missing', 'provider_discontinued']);

/** All collections, whatever is granted now: the scopes may have been different when they were subscribed. */
async function unsubscribe({ http, subscriptionId }: { http: ProviderHttp; subscriptionId: string }): Promise<void> {
  for (const { name } of collections) {
    try {
      await http.delete(subscriptionPath(name, subscriptionId));
    } catch (error) {
      if (!goneCodes.has(errorCode(error))) throw error;
    }
  }
}

function readNotice(item: JsonNode): PushNotice {
  const providerUserId = item.at('ownerId').id();
  const collection = item.at('collectionType').text();
  if (collection === revocation) return { kind: 'revoked', providerUserId };
  const day = item.at('date').day();
  return { kind: 'changed', providerUserId, collection, window: { startDate: day, endDate: day } };
}

/** Fitbit's notifications: they contain user, collection and day, never the data. */
export const fitbitPush: PushSupport = {
  isSigned: true,
  acceptedStatus: accepted,
  rejectedStatus: rejected,
  bodyBytesMax,
  replay: { signatureHeader: 'x-fitbit-signature', callsDiffer: false },

  mayBeValid: (push) => /^[\w+/]{27}=$/.test(headerOf(push, 'x-fitbit-signature') ?? ''),

  handshake({ method, query }, { verificationCode }) {
    const code = query['verify'];
    if (method !== 'GET' || code === undefined) return null;
    // Fitbit also sends a wrong code and expects it to be refused.
    const isRight = verificationCode !== null && isSameText(code, verificationCode);
    return { status: isRight ? accepted : rejected, body: '' };
  },

  verify(push, { application }) {
    const signature = headerOf(push, 'x-fitbit-signature');
    return signature !== null && isSameText(signature, hmacOf('sha1', `${application.clientSecret}&`, [push.body], 'base64'));
  },

  parse: ({ body }) => readNotices(readPushItems(readPushJson(body)), (item) => [readNotice(item)]),

  subscribe,
  unsubscribe,
};
