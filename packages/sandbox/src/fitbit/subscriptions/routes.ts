import type { ApiAnswer, ApiCall, ApiRoute } from '../api/types.ts';
import { FitbitError, invalid } from '../errors.ts';
import { collections, type Collection, type Subscription } from './types.ts';

const subscriptionIdLengthMax = 50;
const defaultSubscriberId = '1';

/** The scope behind each collection; the news of a revocation needs none. */
const scopeOf: Readonly<Record<Collection, string | undefined>> = {
  activities: 'activity',
  body: 'weight',
  foods: 'nutrition',
  sleep: 'sleep',
  userRevokedAccess: undefined,
};

function fromPath(call: ApiCall): Subscription {
  const collection = collectionIn(call);
  const subscriptionId = decodeURIComponent(call.path['subscriptionId'] ?? '');
  if (subscriptionId.length > subscriptionIdLengthMax) throw invalid(`A subscription id has at most ${subscriptionIdLengthMax} characters`);
  const { clientId, ownerId } = call.grant;
  return { clientId, ownerId, collection, subscriptionId, subscriberId: call.subscriberId ?? defaultSubscriberId };
}

function collectionIn(call: ApiCall): Collection | undefined {
  const name = call.path['collection'];
  const collection = collections.find((known) => known === name);
  if (name !== undefined && !collection) throw invalid('Unknown collection');
  const scope = collection && scopeOf[collection];
  if (scope !== undefined && !call.grant.scopes.includes(scope))
    throw new FitbitError(403, 'insufficient_scope', `This application does not have the scope ${scope}`);
  return collection;
}

function toWire({ collection, ownerId, subscriberId, subscriptionId }: Subscription): object {
  return { ...(collection && { collectionType: collection }), ownerId, ownerType: 'user', subscriberId, subscriptionId };
}

function add(call: ApiCall): ApiAnswer {
  const subscription = fromPath(call);
  const outcome = call.parts.subscriptions.add(subscription);
  if (outcome === 'conflict') throw new FitbitError(409, 'conflict', 'The stream or the subscription id is taken');
  call.parts.save();
  return { status: outcome === 'created' ? 201 : 200, body: toWire(subscription) };
}

function remove(call: ApiCall): ApiAnswer {
  if (!call.parts.subscriptions.remove(fromPath(call))) throw new FitbitError(404, 'not_found', 'No such subscription');
  call.parts.save();
  return { status: 204 };
}

function list(call: ApiCall): ApiAnswer {
  const collection = collectionIn(call);
  const { clientId, ownerId } = call.grant;
  const all = call.parts.subscriptions.ofOwner(clientId, ownerId);
  return { body: { apiSubscriptions: all.filter((present) => collection === undefined || present.collection === collection).map(toWire) } };
}

const one = /^(?:\/(?<collection>\w+))?\/apiSubscriptions\/(?<subscriptionId>[^/]+)\.json$/;

export const subscriptionRoutes: readonly ApiRoute[] = [
  { kind: 'subscriptions.add', method: 'POST', version: '1', pattern: one, respond: add },
  { kind: 'subscriptions.remove', method: 'DELETE', version: '1', pattern: one, respond: remove },
  {
    kind: 'subscriptions.list',
    method: 'GET',
    version: '1',
    pattern: /^(?:\/(?<collection>\w+))?\/apiSubscriptions\.json$/,
    respond: list,
  },
];
