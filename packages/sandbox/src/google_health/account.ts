import { dayMs } from '@pulsewire/kernel';
import { dayNumber } from '../model/calendar.ts';
import type { ApiResponse, UserCall } from '../kit/definition/definition.ts';
import { RefusalError } from '../kit/parts/refusal.ts';
import { fitbitIdOf } from '../model/fitbit-id.ts';
import { googleIdOf } from '../model/google-id.ts';
import { badRequest } from './errors.ts';
import { pageOf } from './points.ts';
import { assertScope } from './scopes.ts';
import { dateFields, instantText, offsetText } from './data/times.ts';

const daysPerYear = 365.25;
/** Without a requested size. */
const devicesPageSize = 2;

/** People of this name have a Google account without a profile of Google Health. */
const withoutProfile = 'Unlinked';

/** Throws the refusal of an account that was never set up. */
export function assertLinked({ account }: UserCall): void {
  if (account.name.startsWith(withoutProfile)) throw badRequest('ACCOUNT_NOT_LINKED', 'The account has no Google Health profile.');
}

/** It fails without the scope of the profile. */
export function identity(call: UserCall): ApiResponse {
  assertScope(call, 'profile');
  assertLinked(call);
  const { providerUserId, name } = call.account;
  return { body: { name: `users/${providerUserId}/identity`, healthUserId: providerUserId, legacyUserId: fitbitIdOf(name) } };
}

/** The Google account, from OpenID Connect. */
export function userinfo({ account, grant }: UserCall): ApiResponse {
  if (!grant.scopes.includes('openid')) throw new RefusalError('scope_missing', 'Request had insufficient authentication scopes.');
  return { body: { sub: googleIdOf(account.name) } };
}

/** No name, sex, birthday or height. */
export function profile(call: UserCall): ApiResponse {
  assertScope(call, 'profile');
  assertLinked(call);
  const { person, providerUserId } = call.account;
  const age = Math.floor((dayNumber(person.today()) - dayNumber(person.birthDate)) / daysPerYear);
  const membershipStartDate = dateFields(person.firstDate);
  return { body: { name: `users/${providerUserId}/profile`, age, membershipStartDate, userConfiguredWalkingStrideLengthMm: 710 } };
}

export function settings(call: UserCall): ApiResponse {
  assertScope(call, 'settings');
  assertLinked(call);
  const { account, parts } = call;
  const { zone } = account.person;
  return {
    body: {
      name: `users/${account.providerUserId}/settings`,
      timeZone: zone.name,
      utcOffset: offsetText(zone, parts.clock.wallMs()),
      languageLocale: 'en_US',
      distanceUnit: 'DISTANCE_UNIT_MILES',
      weightUnit: 'WEIGHT_UNIT_POUNDS',
      heightUnit: 'HEIGHT_UNIT_INCHES',
      glucoseUnit: 'GLUCOSE_UNIT_MG_DL',
    },
  };
}

export function pairedDevices(call: UserCall): ApiResponse {
  assertScope(call, 'settings');
  assertLinked(call);
  const { providerUserId, person } = call.account;
  const common = { batteryStatus: 'High', lastSyncTime: instantText(person.syncedMs()) };
  const name = (id: string) => `users/${providerUserId}/pairedDevices/${id}`;
  const tracker = { ...common, deviceType: 'TRACKER', batteryLevel: 82, deviceVersion: 'Charge 6', macAddress: '0A1B2C3D4E5F' };
  const devices = [
    { name: name('1'), ...tracker, features: ['STEPS', 'ODS_V2'] },
    { name: name('2'), deviceType: 'SCALE', ...common, deviceVersion: 'Aria Air', features: [] },
    // No longer in use: it has no battery to report.
    { name: name('3'), deviceType: 'TRACKER', lastSyncTime: instantText(person.syncedMs() - 90 * dayMs), deviceVersion: 'Inspire 2' },
  ];
  const size = Math.max(1, Number(call.query.get('pageSize') ?? devicesPageSize));
  const { shown, next } = pageOf(devices, size, call.query.get('pageToken'));
  return { body: { ...(shown.length > 0 && { pairedDevices: shown }), ...(next !== null && { nextPageToken: next }) } };
}

export function irnProfile(call: UserCall): ApiResponse {
  assertScope(call, 'irn');
  assertLinked(call);
  return { body: { name: `users/${call.account.providerUserId}/irnProfile`, onboardingStatus: 'COMPLETED', enrollmentStatus: 'ENROLLED' } };
}
