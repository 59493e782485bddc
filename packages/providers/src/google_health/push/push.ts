import { addDays, countDays, msToDay } from '../../kit/time/days.ts';
import { parseInstant } from '../../kit/time/time.ts';
import { readNotices, readPushItems, readPushJson } from '../../kit/push/parse-push.ts';
import { headerOf, isSameText } from '../../kit/push/signatures.ts';
import type { PullWindow, PushNotice, PushReply, PushSupport } from '../../kit/types/connector.ts';
import { JsonNode } from '../../kit/values/json-node.ts';
import { readCivilDate } from '../read-point.ts';
import { authorizationOf, ensureKeys, isSignedBy, readSecret } from './keys.ts';

/** Google sends up to 99 notifications at once, each with several intervals in three notations. */
const bodyBytesMax = 512 * 1024;
/** The days that a notification may cause to be read again; older data comes with the regular polls. */
const windowDaysMax = 31;

const dayPattern = /^\d{4}-\d{2}-\d{2}/;

function readIsoDay(node: JsonNode): string | null {
  const day = node.optional((value) => dayPattern.exec(value.text())?.[0] ?? null);
  return day === null || parseInstant(`${day}T00:00:00Z`) === undefined ? null : day;
}

/** The local days of an interval in any of its notations; a physical one may belong to the day before or after. */
function readWindow(interval: JsonNode): PullWindow | null {
  const iso = interval.at('civilIso8601TimeInterval');
  const [startDate, endDate] = [readIsoDay(iso.at('startTime')), readIsoDay(iso.at('endTime'))];
  if (startDate !== null && endDate !== null) return { startDate, endDate };
  const civil = interval.at('civilDateTimeInterval');
  if (!civil.isMissing)
    return {
      startDate: readCivilDate(civil.at('startDateTime').at('date')),
      endDate: readCivilDate(civil.at('endDateTime').at('date')),
    };
  const physical = interval.at('physicalTimeInterval');
  if (physical.isMissing) return null;
  const dayOf = (key: string) => msToDay(physical.at(key).time(parseInstant).ms);
  return { startDate: addDays(dayOf('startTime'), -1), endDate: addDays(dayOf('endTime'), 1) };
}

function limit({ startDate, endDate }: PullWindow): PullWindow {
  const first = endDate < startDate ? endDate : startDate;
  const isLong = countDays({ startDate: first, endDate }) > windowDaysMax;
  return { startDate: isLong ? addDays(endDate, 1 - windowDaysMax) : first, endDate };
}

/** Updates and deletions alike: the days are read again, and what is missing from them is removed. */
function readNotice(item: JsonNode): PushNotice[] {
  const data = item.at('data');
  const providerUserId = data.at('healthUserId').id();
  const collection = data.at('dataType').text();
  const listed = data.at('intervals').itemsOrNone();
  const windows = (listed.length === 0 ? [data] : listed).flatMap((interval) => readWindow(interval) ?? []);
  // Without a usable interval the most recent days are read.
  if (windows.length === 0) return [{ kind: 'object', providerUserId, collection, objectId: 'latest' }];
  // A sleep is found by its end, which may be on the day after.
  const more = collection === 'sleep' ? 1 : 0;
  return windows.map(limit).map(({ startDate, endDate }) => ({
    kind: 'changed',
    providerUserId,
    collection,
    window: { startDate: addDays(startDate, -more), endDate: addDays(endDate, more) },
  }));
}

function isVerification(body: Buffer): boolean {
  if (body.length > 200) return false;
  try {
    return new JsonNode(JSON.parse(body.toString('utf8')) as unknown).at('type').value === 'verification';
  } catch {
    return false;
  }
}

/** Notifications without data: they name a data type and intervals. Authenticated by a text of ours and by Google's signature. */
export const googleHealthPush: PushSupport = {
  isSigned: true,
  // Any other status, 200 too, was seen to be delivered again.
  acceptedStatus: 204,
  rejectedStatus: 401,
  bodyBytesMax,
  replay: { signatureHeader: 'google-health-api-signature', callsDiffer: false },

  mayBeValid: (push) => /^Bearer \S{1,512}$/.test(headerOf(push, 'authorization') ?? ''),

  /** Google calls twice, with our text and without it, and expects both responses to be right. */
  handshake(push, { verificationCode }): PushReply | null {
    if (push.method !== 'POST' || !isVerification(push.body)) return null;
    const given = headerOf(push, 'authorization') ?? '';
    const isRight = verificationCode !== null && isSameText(given, authorizationOf(verificationCode));
    return { status: isRight ? 201 : 401, body: '' };
  },

  verify(push, { subscriptionSecret }) {
    const secret = readSecret(subscriptionSecret);
    const [authorization, signature] = [headerOf(push, 'authorization'), headerOf(push, 'google-health-api-signature')];
    if (secret === null || authorization === null || signature === null) return false;
    return isSameText(authorization, secret.authorization) && isSignedBy(secret.keys, signature, push.body);
  },

  parse({ body }) {
    const root = readPushJson(body);
    return readNotices(Array.isArray(root.value) ? readPushItems(root) : [root], readNotice);
  },

  ensure: ensureKeys,
};
