import { AppError } from '@pulsewire/kernel';
import { addDays, msToDay } from '../kit/time/days.ts';
import { parseInstant } from '../kit/time/time.ts';
import { readNotices, readPushForm, readPushJson } from '../kit/push/parse-push.ts';
import { noticeBytesMax } from '../kit/push/push-limits.ts';
import { headerOf } from '../kit/push/signatures.ts';
import type { JsonNode } from '../kit/values/json-node.ts';
import type { PushNotice, PushSupport, RawPush } from '../kit/types/connector.ts';
import { measurementTypes } from './omron.ts';

/** Milliseconds as a number or a text, or an ISO time. */
function instantOf(node: JsonNode): number {
  const { value } = node;
  if (typeof value === 'string' && parseInstant(value) !== undefined) return node.time(parseInstant).ms;
  const ms = node.amount();
  if (ms > 8.64e15) throw node.fail('bad_time');
  return ms;
}

/** The notification contains the server's time, but lists use the local day: one more day on both sides. */
function readNotice(item: JsonNode): PushNotice[] {
  const providerUserId = item.at('id').id();
  const day = msToDay(instantOf(item.at('timestamp')));
  const window = { startDate: addDays(day, -1), endDate: addDays(day, 1) };
  const type = item.at('type').value;
  const collections = typeof type === 'string' ? measurementTypes.filter((name) => name === type) : measurementTypes;
  return collections.map((collection) => ({ kind: 'changed', providerUserId, collection, window }));
}

/** JSON; older documentation describes a form. */
function readBody(push: RawPush): JsonNode {
  if (headerOf(push, 'content-type')?.includes('x-www-form-urlencoded') === true) return readPushForm(push.body);
  const root = readPushJson(push.body);
  if (typeof root.value === 'object' && root.value !== null && !Array.isArray(root.value)) return root;
  throw new AppError({ code: 'push_unreadable', kind: 'invalid', message: 'The notification has an unknown format.' });
}

/** One notification per upload, with user, time and kind. No signature is known, so its address is unguessable. */
export const omronPush: PushSupport = {
  isSigned: false,
  acceptedStatus: 200,
  rejectedStatus: 403,
  bodyBytesMax: noticeBytesMax,
  handshake: () => null,
  verify: () => true,
  parse: (push) => readNotices([readBody(push)], readNotice),
};
