import { recordedUsers } from './recorded-users.ts';
import type { FitbitAccountSpec } from './types.ts';

const names = [
  'Ada',
  'Bruno',
  'Chidi',
  'Dana',
  'Emre',
  'Frida',
  'Goran',
  'Hana',
  'Ines',
  'Jonas',
  'Kavya',
  'Liam',
  'Mei',
  'Noor',
  'Oskar',
  'Priya',
  'Quentin',
  'Rosa',
  'Sven',
  'Tomoko',
];
const timeZones = [
  'America/New_York',
  'Europe/Berlin',
  'Asia/Kolkata',
  'America/Los_Angeles',
  'Australia/Sydney',
  'Europe/London',
  'Asia/Tokyo',
  'America/Sao_Paulo',
];
/** Accounts for demonstrations and load: volunteers, time zones and names in rotation. Every fifth has an older tracker. */
export function demoAccounts(count: number): FitbitAccountSpec[] {
  return Array.from({ length: count }, (_, place) => ({
    name: place < names.length ? at(names, place) : `${at(names, place)} ${Math.floor(place / names.length) + 1}`,
    timeZone: at(timeZones, place),
    recordedUser: at(recordedUsers, place),
    sleepType: place % 5 === 4 ? ('classic' as const) : ('stages' as const),
  }));
}

function at(list: readonly string[], place: number): string {
  return list[place % list.length] as string;
}
