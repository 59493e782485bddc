import { between } from '../../model/seeded.ts';
import type { Account } from '../accounts/types.ts';
import { round, toHeight, toWeight, type Units } from './units.ts';

/** `profile.json`. The person is made up from the account's name; the volunteers' ages and heights are not in the set. */
export function profileOf(account: Account, nowMs: number, units: Units): object {
  const { name } = account;
  const dateOfBirth = `${between(`year:${name}`, 1960, 2001)}-${String(between(`month:${name}`, 1, 12)).padStart(2, '0')}-${String(between(`day:${name}`, 1, 28)).padStart(2, '0')}`;
  const today = account.today();
  const hadBirthday = today.slice(5) >= dateOfBirth.slice(5);
  return {
    user: {
      encodedId: account.ownerId,
      displayName: name,
      fullName: name,
      gender: between(`gender:${name}`, 0, 1) === 0 ? 'FEMALE' : 'MALE',
      dateOfBirth,
      age: Number(today.slice(0, 4)) - Number(dateOfBirth.slice(0, 4)) - (hadBirthday ? 0 : 1),
      height: round(toHeight(between(`height:${name}`, 155, 192), units), 1),
      weight: round(toWeight(between(`weight:${name}`, 52, 92), units), 1),
      memberSince: account.firstDate,
      timezone: account.zone.name,
      offsetFromUTCMillis: account.zone.offsetMinutes(nowMs) * 60_000,
      distanceUnit: units === 'en_US' ? 'en_US' : 'METRIC',
    },
  };
}

/** `devices.json`: `lastSyncTime` is the time up to which the data is complete. */
export function devicesOf(account: Account): object[] {
  return [
    {
      id: String(between(`device:${account.ownerId}`, 10_000_000, 99_999_999)),
      type: 'TRACKER',
      deviceVersion: account.sleepType === 'classic' ? 'Zip' : 'Charge 2',
      battery: 'High',
      batteryLevel: 80,
      features: [],
      lastSyncTime: account.zone.localText(account.syncedMs()),
    },
  ];
}
