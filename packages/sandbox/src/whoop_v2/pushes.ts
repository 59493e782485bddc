import { createHmac } from 'node:crypto';
import type { PushSpec } from '../kit/definition/definition.ts';
import type { Change } from '../kit/person/types.ts';
import { uuidOf } from '../kit/person/uuid-of.ts';

/** Cycles and measurements are not announced; a night has its recovery, which comes and goes with it. */
function eventsOf(kind: Change['kind']): readonly string[] {
  if (kind === 'sleep') return ['sleep', 'recovery'];
  return kind === 'workout' ? ['workout'] : [];
}

export const whoopPushes: PushSpec = {
  messages({ kind, action, uuid }, { providerUserId }, parts) {
    const change = action === 'deleted' ? 'deleted' : 'updated';
    return eventsOf(kind).map((event) => {
      const type = `${event}.${change}`;
      const traceId = uuidOf(`whoop:${type}:${uuid}:${parts.clock.wallMs()}`);
      // Created and updated are one event; a recovery goes by the id of its sleep.
      return { body: { user_id: Number(providerUserId), id: uuid, type, trace_id: traceId } };
    });
  },
  sign(body, { application, now }) {
    const timestamp = String(now.getTime());
    const signature = createHmac('sha256', application.clientSecret).update(timestamp).update(body).digest('base64');
    return { 'x-whoop-signature': signature, 'x-whoop-signature-timestamp': timestamp };
  },
};
