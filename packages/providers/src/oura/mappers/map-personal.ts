import type { CanonicalRecord } from '@pulsewire/contract';
import { mapWhole } from '../../kit/records/map-records.ts';
import { profileRecord } from '../../kit/records/profile-record.ts';
import { utcMidnight } from '../../kit/time/days.ts';
import { JsonNode } from '../../kit/values/json-node.ts';
import type { MappedRecords } from '../../kit/types/connector.ts';
import { app, type OuraContext } from '../oura.ts';

const sexes: Readonly<Record<string, string>> = { male: 'male', female: 'female' };

function readWeight(info: JsonNode, context: OuraContext): CanonicalRecord[] {
  const { weight_kg: known, weight_day: since } = context.user.account;
  const weight = info.at('weight').optional((node) => node.amount());
  // A weight that is not in the account's facts yet is mapped after their next refresh, once and with its day.
  if (weight === null || weight === 0 || weight !== known || typeof since !== 'string') return [];
  const zone = context.zoneOn(since);
  const { ms, offset } = zone.startOfDay(since);
  const body = context.summary({
    raw: info,
    resource: 'body',
    sourceType: app,
    externalId: since,
    calendarDate: since,
    at: utcMidnight(since),
    data: { weight },
  });
  return [body, ...context.samples('weight', app, [{ ts: ms, value: weight, timezoneOffset: offset, offsetFrom: zone.originAt(ms) }])];
}

/** `personal_info` as the profile, and as a weight on the day since which it is known. The user typed it in, so its source is the app. */
export function mapPersonal(body: unknown, context: OuraContext): MappedRecords {
  return mapWhole('profile', () => {
    const info = new JsonNode(body);
    info.at('id').id();
    const sex = info.at('biological_sex').optional((node) => sexes[node.text().toLowerCase()] ?? null);
    const height = info.at('height').optional((node) => Math.round(node.amount() * 100));
    const profile = profileRecord(context, { raw: info, sourceType: app, height: height === 0 ? null : height, birthDate: null, sex });
    return [profile, ...readWeight(info, context)];
  });
}
