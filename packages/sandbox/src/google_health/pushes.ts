import { randomUUID } from 'node:crypto';
import type { PushSpec } from '../kit/definition/definition.ts';
import type { Change } from '../kit/person/types.ts';
import { requestAddress } from '../kit/push/request-address.ts';
import type { PushTarget } from '../kit/push/sender.ts';
import { signatureOf } from './keys.ts';
import { civilFields, civilText, instantText } from './data/times.ts';

const created = 201;
const accepted = 204;
const dailyNames = ['resting-heart-rate', 'heart-rate-variability', 'oxygen-saturation', 'respiratory-rate'].map((name) => `daily-${name}`);

/** The data types of a change that are announced at all. */
const typesOf: Readonly<Partial<Record<Change['kind'], readonly string[]>>> = {
  activity: ['steps', 'distance', 'floors', 'altitude', 'activity-level', 'heart-rate'],
  sleep: ['sleep', 'heart-rate-variability', ...dailyNames],
  workout: ['exercise'],
  body: ['weight', 'body-fat'],
  glucose: ['blood-glucose'],
  meal: ['nutrition-log', 'hydration-log'],
};

const secretOf = ({ verificationCode }: PushTarget): string => `Bearer ${verificationCode}`;

/** Two calls: with the secret, which must be accepted, and without it, which must be refused. */
async function handshake(target: PushTarget): Promise<boolean> {
  const headers = { 'content-type': 'application/json', 'user-agent': 'Google-Health-API-Webhooks' };
  const call = (extra: Readonly<Record<string, string>>) =>
    requestAddress(target.callbackUrl, {
      method: 'POST',
      headers: { ...headers, ...extra },
      body: JSON.stringify({ type: 'verification' }),
    });
  const known = await call({ authorization: secretOf(target) });
  const unknown = await call({});
  return (known?.status === created || known?.status === 200) && (unknown?.status === 401 || unknown?.status === 403);
}

/** Notifications without values, several in one array, signed with a key that Google publishes. */
export const googleHealthPushes: PushSpec = {
  handshake,
  messages({ kind, action, startMs, endMs, date }, { providerUserId }, parts) {
    const zone = (parts.accounts.byProviderUserId(providerUserId) ?? parts.accounts.list()[0])?.person.zone;
    if (!zone) return [];
    const nextDay = zone.toLocal(endMs).date;
    return (typesOf[kind] ?? []).map((dataType) => {
      const physicalTimeInterval = { startTime: instantText(startMs), endTime: instantText(endMs) };
      const civilDateTimeInterval = { startDateTime: civilFields(zone, startMs), endDateTime: civilFields(zone, endMs) };
      const civilIso8601TimeInterval = { startTime: civilText(zone, startMs), endTime: civilText(zone, endMs) };
      // Values of days have no instants.
      const interval = dailyNames.includes(dataType)
        ? { civilIso8601TimeInterval: { startTime: `${date}T00:00:00`, endTime: `${nextDay}T23:59:59` } }
        : { physicalTimeInterval, civilDateTimeInterval, civilIso8601TimeInterval };
      const data = {
        version: '1',
        clientProvidedSubscriptionName: randomUUID(),
        healthUserId: providerUserId,
        operation: action === 'deleted' ? 'DELETE' : 'UPSERT',
        dataType,
        intervals: [interval],
      };
      return { body: { data } };
    });
  },
  batch: { waitMs: 50, max: 99 },
  retryDelaysMs: [1000, 2000, 4000],
  isAccepted: (status) => status === accepted,
  sign: (body, { application, target }) => ({
    authorization: secretOf(target),
    'google-health-api-signature': signatureOf(body, application),
  }),
};
