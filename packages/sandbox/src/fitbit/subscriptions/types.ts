export const collections = ['activities', 'body', 'foods', 'sleep', 'userRevokedAccess'] as const;
export type Collection = (typeof collections)[number];

/** A wish to be told about a user's changes. Without a collection it is about all of them. */
export interface Subscription {
  readonly clientId: string;
  readonly ownerId: string;
  readonly collection: Collection | undefined;
  readonly subscriptionId: string;
  readonly subscriberId: string;
}

/** One element of the array that is sent to the subscriber. A revocation has no date. */
export interface Notice {
  readonly collectionType: Collection;
  readonly date?: string;
  readonly ownerId: string;
  readonly ownerType: 'user';
  readonly subscriptionId: string;
}
