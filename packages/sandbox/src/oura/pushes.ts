import { createHmac } from 'node:crypto';
import type { PushSpec } from '../kit/definition/definition.ts';
import type { Change } from '../kit/person/types.ts';
import type { Person } from '../kit/person/person.ts';
import { documents } from './documents.ts';

const events = { created: 'create', updated: 'update', deleted: 'delete' } as const;

/** Kinds of documents that change with a change of the person. */
const dataTypesOf: Readonly<Record<Change['kind'], readonly string[]>> = {
  activity: ['daily_activity'],
  sleep: ['sleep', 'daily_sleep', 'daily_readiness', 'daily_spo2'],
  workout: ['workout'],
  body: [],
  blood_pressure: [],
  glucose: [],
  meal: [],
};

function documentIds(person: Person | undefined, dataType: string, change: Change): string[] {
  // A deleted item has no document any more; its id was that of the sleep or workout.
  if (change.action === 'deleted') return dataType === change.kind ? [change.uuid] : [];
  const day = person?.day(change.date);
  if (!person || !day) return [change.uuid];
  const found = documents[dataType]?.(person, day) ?? [];
  const isOne = dataType === 'sleep' || dataType === 'workout';
  return found.map(({ id }) => id).filter((id) => !isOne || id === change.uuid);
}

/** Notifications with only ids, one request each, signed in upper-case hex over the time and the body. */
export const ouraPushes: PushSpec = {
  messages(change, { providerUserId }, parts) {
    const person = parts.accounts.byProviderUserId(providerUserId)?.person;
    return dataTypesOf[change.kind].flatMap((dataType) =>
      documentIds(person, dataType, change).map((objectId) => ({
        topic: `${events[change.action]} ${dataType}`,
        body: {
          event_type: events[change.action],
          data_type: dataType,
          object_id: objectId,
          event_time: new Date(parts.clock.wallMs()).toISOString(),
          user_id: providerUserId,
        },
      })),
    );
  },
  concerns: ({ details }, { topic }) => topic === `${String(details['event_type'])} ${String(details['data_type'])}`,
  sign(body, { application, now }) {
    const timestamp = String(Math.floor(now.getTime() / 1000));
    const signature = createHmac('sha256', application.clientSecret).update(`${timestamp}${body}`).digest('hex').toUpperCase();
    return { 'x-oura-timestamp': timestamp, 'x-oura-signature': signature };
  },
};
