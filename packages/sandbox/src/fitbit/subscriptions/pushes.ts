import { createHmac, randomUUID } from 'node:crypto';
import type { PushSpec } from '../../kit/definition/definition.ts';
import type { Change } from '../../kit/person/types.ts';
import { requestAddress } from '../../kit/push/request-address.ts';
import type { PushMessage } from '../../kit/push/sender.ts';
import type { FitbitPerson } from '../person/person.ts';
import { subscriptionsIn, type Collection, type Subscription } from './subscriptions.ts';

const deadlineMs = 5000;
const collectionOf: Readonly<Partial<Record<Change['kind'], Collection>>> = {
  activity: 'activities',
  workout: 'activities',
  sleep: 'sleep',
  body: 'body',
  meal: 'foods',
};

/** One element of the array that is sent to the subscriber. A revocation has no date. */
function notice(
  { clientId, ownerId, subscriptionId }: Omit<Subscription, 'subscriberId'>,
  collectionType: Collection,
  date?: string,
): PushMessage {
  return { topic: clientId, body: { collectionType, ...(date !== undefined && { date }), ownerId, ownerType: 'user', subscriptionId } };
}

/** One notification for each subscription that a user's change in a collection concerns. */
function notices(subscriptions: readonly Subscription[], ownerId: string, collection: Collection, date?: string): PushMessage[] {
  return subscriptions
    .filter((one) => one.ownerId === ownerId && (one.collection === undefined || one.collection === collection))
    .map((one) => notice(one, collection, date));
}

/** Notifications with only collections and dates, in batches, signed with the client secret and an ampersand. */
export function fitbitPushes(batchMs: number): PushSpec<FitbitPerson> {
  return {
    batch: { waitMs: batchMs, max: 100 },
    deadlineMs,
    retryDelaysMs: [1000, 5000],
    failuresMax: 10,
    isAccepted: (status) => status === 204,
    /** Requests `?verify=` twice, with the right and with a wrong code. */
    async handshake({ callbackUrl, verificationCode }) {
      const statusFor = async (verify: string) => (await requestAddress(callbackUrl, { query: { verify }, deadlineMs }))?.status;
      return (await statusFor(verificationCode)) === 204 && (await statusFor(randomUUID())) === 404;
    },
    messages({ kind, date }, { providerUserId }, parts) {
      const collection = collectionOf[kind];
      if (collection === undefined) return [];
      // There are no subscriptions to a user without an account: only `sendForUnknownUser` gets here.
      if (!parts.accounts.byProviderUserId(providerUserId))
        return [notice({ clientId: '', ownerId: providerUserId, subscriptionId: '1' }, collection, date)];
      return notices(subscriptionsIn(parts), providerUserId, collection, date);
    },
    revocation: ({ providerUserId }, parts) => notices(subscriptionsIn(parts), providerUserId, 'userRevokedAccess'),
    concerns: ({ clientId }, { topic }) => clientId === topic,
    sign: (body, { application: { clientSecret } }) => ({
      'x-fitbit-signature': createHmac('sha1', `${clientSecret}&`).update(body).digest('base64'),
    }),
  };
}
