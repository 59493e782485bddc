import { msToDay } from '../kit/time/days.ts';
import { parseInstant } from '../kit/time/time.ts';
import type { JsonNode } from '../kit/values/json-node.ts';
import { readNotices, readPushJson } from '../kit/push/parse-push.ts';
import { isSameText } from '../kit/push/signatures.ts';
import type { PushNotice, PushSupport } from '../kit/types/connector.ts';
import type { WahooValues } from './wahoo.ts';

const collection = 'workout';
const bodyBytesMax = 256 * 1024;

/** The summary with its workout inside. The workout is read again, because its file comes by a call anyway. */
function readNotice(item: JsonNode): PushNotice[] {
  if (item.at('event_type').value !== 'workout_summary') return [];
  const providerUserId = item.at('user').at('id').id();
  const summary = item.at('workout_summary');
  const workout = summary.at('workout');
  if (!workout.isMissing) return [{ kind: 'object', providerUserId, collection, objectId: workout.at('id').id() }];
  const updated = summary.at('started_at').isMissing ? summary.at('created_at') : summary.at('started_at');
  const day = msToDay(updated.time(parseInstant).ms);
  return [{ kind: 'changed', providerUserId, collection, window: { startDate: day, endDate: day } }];
}

/** Nothing is signed: the address is unguessable, and the token of the portal is compared where the operator has set it. */
export const createWahooPush = ({ webhookToken }: WahooValues): PushSupport => ({
  isSigned: false,
  acceptedStatus: 200,
  rejectedStatus: 403,
  bodyBytesMax,
  handshake: () => null,
  verify({ method, body }) {
    if (method !== 'POST') return false;
    if (webhookToken === '') return true;
    try {
      const token = readPushJson(body).at('webhook_token').value;
      return typeof token === 'string' && isSameText(token, webhookToken);
    } catch {
      return false;
    }
  },
  parse: ({ body }) => readNotices([readPushJson(body)], readNotice),
});
