import type { ApiResponse } from '../../kit/definition/definition.ts';
import { invalid, RefusalError } from '../../kit/parts/refusal.ts';
import { needScope, type FitbitCall, type FitbitRoute } from './types.ts';
import {
  addSubscription,
  collections,
  removeSubscription,
  subscriptionsIn,
  type Collection,
  type Subscription,
} from '../subscriptions/subscriptions.ts';

const subscriptionIdLengthMax = 50;
const defaultSubscriberId = '1';

/** The scope behind each collection; the notification of a revocation needs none. */
const scopeOf: Readonly<Record<Collection, string | undefined>> = {
  activities: 'activity',
  body: 'weight',
  foods: 'nutrition',
  sleep: 'sleep',
  userRevokedAccess: undefined,
};

function fromPath(call: FitbitCall): Subscription {
  const collection = collectionIn(call);
  const subscriptionId = call.params['subscriptionId'] ?? '';
  if (subscriptionId.length > subscriptionIdLengthMax) throw invalid(`A subscription id has at most ${subscriptionIdLengthMax} characters`);
  const { clientId, providerUserId } = call.grant;
  const subscriberId = call.headers['x-fitbit-subscriber-id'];
  return {
    clientId,
    ownerId: providerUserId,
    collection,
    subscriptionId,
    subscriberId: typeof subscriberId === 'string' ? subscriberId : defaultSubscriberId,
  };
}

function collectionIn(call: FitbitCall): Collection | undefined {
  const name = call.params['collection'];
  const collection = collections.find((known) => known === name);
  if (name !== undefined && !collection) throw invalid('Unknown collection');
  const scope = collection && scopeOf[collection];
  if (scope !== undefined) needScope(call, scope);
  return collection;
}

function toWire({ collection, ownerId, subscriberId, subscriptionId }: Subscription): object {
  return { ...(collection && { collectionType: collection }), ownerId, ownerType: 'user', subscriberId, subscriptionId };
}

function add(call: FitbitCall): ApiResponse {
  const subscription = fromPath(call);
  const outcome = addSubscription(call.parts, subscription);
  if (outcome === 'conflict') throw new RefusalError('conflict', 'The stream or the subscription id is taken');
  call.parts.save();
  return { status: outcome === 'created' ? 201 : 200, body: toWire(subscription) };
}

function remove(call: FitbitCall): ApiResponse {
  if (!removeSubscription(call.parts, fromPath(call))) throw new RefusalError('not_found', 'No such subscription');
  call.parts.save();
  return { status: 204 };
}

function list(call: FitbitCall): ApiResponse {
  const collection = collectionIn(call);
  const { clientId, providerUserId } = call.grant;
  const own = subscriptionsIn(call.parts).filter((one) => one.clientId === clientId && one.ownerId === providerUserId);
  return { body: { apiSubscriptions: own.filter((one) => collection === undefined || one.collection === collection).map(toWire) } };
}

/** Below the user, and below one collection of the user. */
export const subscriptionRoutes: readonly FitbitRoute[] = ['', '/:collection'].flatMap((prefix): FitbitRoute[] => [
  { kind: 'subscriptions.add', method: 'POST', version: '1', path: `${prefix}/apiSubscriptions/:subscriptionId.json`, respond: add },
  {
    kind: 'subscriptions.remove',
    method: 'DELETE',
    version: '1',
    path: `${prefix}/apiSubscriptions/:subscriptionId.json`,
    respond: remove,
  },
  { kind: 'subscriptions.list', method: 'GET', version: '1', path: `${prefix}/apiSubscriptions.json`, respond: list },
]);
