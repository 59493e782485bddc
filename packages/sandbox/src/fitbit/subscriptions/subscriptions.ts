import type { SimulatorParts } from '../../kit/definition/definition.ts';
import type { FitbitPerson } from '../person/person.ts';

export const collections = ['activities', 'body', 'foods', 'sleep', 'userRevokedAccess'] as const;
export type Collection = (typeof collections)[number];

/** An application's request to be notified of a user's changes. Without a collection it applies to all of them. */
export interface Subscription {
  readonly clientId: string;
  readonly ownerId: string;
  readonly collection?: Collection | undefined;
  readonly subscriptionId: string;
  readonly subscriberId: string;
}

type Parts = Pick<SimulatorParts<FitbitPerson>, 'memory'>;

/** Where the kit's memory keeps them. */
export const subscriptionsKey = 'subscriptions';

export function subscriptionsIn({ memory }: Parts): readonly Subscription[] {
  return (memory.get(subscriptionsKey) ?? []) as readonly Subscription[];
}

const isSameStream = (a: Subscription, b: Subscription) =>
  a.clientId === b.clientId && a.ownerId === b.ownerId && a.collection === b.collection;
const isSameId = (a: Subscription, b: Subscription) => a.clientId === b.clientId && a.subscriptionId === b.subscriptionId;

/** `conflict`: the stream has another subscription id, or the id belongs to another stream of the application. */
export function addSubscription(parts: Parts, wanted: Subscription): 'created' | 'existing' | 'conflict' {
  const present = subscriptionsIn(parts);
  const same = present.find((one) => isSameStream(one, wanted) || isSameId(one, wanted));
  if (same) return isSameStream(same, wanted) && isSameId(same, wanted) ? 'existing' : 'conflict';
  parts.memory.set(subscriptionsKey, [...present, wanted]);
  return 'created';
}

/** Whether there was one. */
export function removeSubscription(parts: Parts, unwanted: Subscription): boolean {
  return drop(parts, (one) => isSameStream(one, unwanted) && isSameId(one, unwanted));
}

/** Drops those of an application to a user. */
export function dropSubscriptions(parts: Parts, clientId: string, ownerId: string): void {
  drop(parts, (one) => one.clientId === clientId && one.ownerId === ownerId);
}

function drop(parts: Parts, test: (subscription: Subscription) => boolean): boolean {
  const present = subscriptionsIn(parts);
  const rest = present.filter((one) => !test(one));
  parts.memory.set(subscriptionsKey, rest);
  return rest.length < present.length;
}
