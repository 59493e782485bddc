import { createHmac } from 'node:crypto';
import type { PushSpec, SimulatorParts } from '../kit/definition/definition.ts';
import type { PushMessage } from '../kit/push/sender.ts';

const aspects = { created: 'create', updated: 'update', deleted: 'delete' } as const;

/** One event for each subscription: it names the subscription that it is for. */
function toEach(parts: SimulatorParts, event: Readonly<Record<string, unknown>>): PushMessage[] {
  const eventTime = Math.floor(parts.clock.wallMs() / 1000);
  return parts.pushes.targets().map(({ details }) => ({
    topic: String(details['id']),
    body: { ...event, subscription_id: details['id'], event_time: eventTime },
  }));
}

/** The athlete has withdrawn the permission. */
export function deauthorization(providerUserId: string, parts: SimulatorParts): PushMessage[] {
  const id = Number(providerUserId);
  return toEach(parts, { object_type: 'athlete', object_id: id, aspect_type: 'update', updates: { authorized: 'false' }, owner_id: id });
}

/**
 * Only workouts. Strava's documents mention no signature, but several applications receive `X-Strava-Signature`, made with their
 * secret: a receiver that does not support it must accept such a push as well.
 */
export const stravaPushes: PushSpec = {
  messages({ kind, action, id }, { providerUserId }, parts) {
    if (kind !== 'workout') return [];
    const updates = action === 'updated' ? { title: 'Another title' } : {};
    const owner = Number(providerUserId);
    return toEach(parts, { object_type: 'activity', object_id: Number(id), aspect_type: aspects[action], updates, owner_id: owner });
  },
  revocation: ({ providerUserId }, parts) => deauthorization(providerUserId, parts),
  sign(body, { application, now }) {
    const time = Math.floor(now.getTime() / 1000);
    return {
      'x-strava-signature': `t=${time},v1=${createHmac('sha256', application.clientSecret).update(`${time}.${body}`).digest('hex')}`,
    };
  },
  concerns: (target, message) => String(target.details['id']) === message.topic,
};
