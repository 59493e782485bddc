import type { Collection, Subscription } from './types.ts';

export interface SubscriptionBook {
  /** `conflict`: the stream has another subscription id, or the id belongs to another stream of the application. */
  add(subscription: Subscription): 'created' | 'existing' | 'conflict';
  remove(subscription: Omit<Subscription, 'subscriberId'>): boolean;
  ofOwner(clientId: string, ownerId: string): Subscription[];
  /** Who is to be told about a change in this collection of this user. */
  interested(ownerId: string, collection: Collection): Subscription[];
  dropOwner(clientId: string, ownerId: string): void;
  snapshot(): Subscription[];
}

export function createSubscriptionBook(initial: readonly Subscription[] = []): SubscriptionBook {
  let subscriptions = [...initial];
  const isSameStream = (a: Omit<Subscription, 'subscriberId'>, b: Omit<Subscription, 'subscriberId'>) =>
    a.clientId === b.clientId && a.ownerId === b.ownerId && a.collection === b.collection;
  const isSameId = (a: Omit<Subscription, 'subscriberId'>, b: Omit<Subscription, 'subscriberId'>) =>
    a.clientId === b.clientId && a.subscriptionId === b.subscriptionId;

  return {
    add(wanted) {
      const same = subscriptions.find((present) => isSameStream(present, wanted) || isSameId(present, wanted));
      if (same) return isSameStream(same, wanted) && isSameId(same, wanted) ? 'existing' : 'conflict';
      subscriptions.push(wanted);
      return 'created';
    },
    remove(wanted) {
      const rest = subscriptions.filter((present) => !(isSameStream(present, wanted) && isSameId(present, wanted)));
      const isRemoved = rest.length < subscriptions.length;
      subscriptions = rest;
      return isRemoved;
    },
    ofOwner: (clientId, ownerId) => subscriptions.filter((present) => present.clientId === clientId && present.ownerId === ownerId),
    interested: (ownerId, collection) =>
      subscriptions.filter(
        (present) => present.ownerId === ownerId && (present.collection === undefined || present.collection === collection),
      ),
    dropOwner(clientId, ownerId) {
      subscriptions = subscriptions.filter((present) => present.clientId !== clientId || present.ownerId !== ownerId);
    },
    snapshot: () => [...subscriptions],
  };
}
