import { networkOf } from '@pulsewire/outbound';

/** What a format makes of a text: the value to go on with, or the word of its error. */
export type FormatResult = { readonly value: string } | { readonly type: string; readonly msg: string };

const day = /^(\d{4})-(\d{2})-(\d{2})$/;
const dateTime = /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}):(\d{2})(?::(\d{2})(\.\d{1,9})?)?(?:[Zz]|[+-](?:[01]\d|2[0-3]):?[0-5]\d)?$/;
// An offset may push the first and the last day of the calendar over its edge; the database knows no instant there.
const firstMs = Date.parse('0001-01-01T00:00:00Z');
const lastMs = Date.parse('9999-12-31T23:59:59.999Z');
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether the text is a day of the calendar; 31 April is not. */
export function isDay(text: string): boolean {
  const [, year, month, date] = day.exec(text) ?? [];
  if (year === undefined || year === '0000') return false;
  const time = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(time.getTime()) && time.getUTCMonth() + 1 === Number(month) && time.getUTCDate() === Number(date);
}

/** Whether the text is a date-time in any offset; without one it is read as UTC. */
export function isDateTime(text: string): boolean {
  const [, date, hour, minute, second = '0'] = dateTime.exec(text) ?? [];
  if (date === undefined || !isDay(date) || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return false;
  const instantMs = dateTimeMs(text);
  return instantMs >= firstMs && instantMs <= lastMs;
}

/** The instant of a text that `isDateTime` accepts, ms since the epoch. */
export function dateTimeMs(text: string): number {
  const withT = text.replace(/^(.{10})[t ]/, '$1T').replace(/z$/, 'Z');
  const withColon = withT.replace(/([+-]\d{2})(\d{2})$/, '$1:$2');
  return Date.parse(/(?:Z|[+-]\d{2}:\d{2})$/.test(withColon) ? withColon : `${withColon}Z`);
}

/** Whether the runtime's zone database knows the zone; offsets and abbreviations that are not in it do not count. */
export function isTimeZone(text: string): boolean {
  if (!/^[A-Za-z][\w+-]*(?:\/[\w+-]+)*$/.test(text)) return false;
  try {
    return Intl.DateTimeFormat('en', { timeZone: text }) !== undefined;
  } catch {
    return false;
  }
}

function readDay(text: string): FormatResult {
  if (isDay(text)) return { value: text };
  if (!isDateTime(text)) return { type: 'date_from_datetime_parsing', msg: 'Must be a day, YYYY-MM-DD' };
  // A date-time at midnight is a day all the same.
  if (/^.{10}[Tt ]00:00(?::00(?:\.0+)?)?(?:[Zz]|[+-]\d{2}:?\d{2})?$/.test(text)) return { value: text.slice(0, 10) };
  return { type: 'date_from_datetime_inexact', msg: 'Must be a day without a time of day' };
}

// Browsers run or open these by themselves: whoever follows such an address goes to no site and to no app.
const unsafeSchemes: ReadonlySet<string> = new Set([
  'about:',
  'blob:',
  'data:',
  'file:',
  'filesystem:',
  'javascript:',
  'vbscript:',
  'view-source:',
]);

function isAddress(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:/i.test(text) && URL.canParse(text) && !unsafeSchemes.has(new URL(text).protocol);
}

/** Checks of the formats that request schemas use. */
export const formats: Readonly<Record<string, (text: string) => FormatResult>> = {
  uuid: (text) => (uuid.test(text) ? { value: text.toLowerCase() } : { type: 'uuid_parsing', msg: 'Must be a UUID' }),
  date: readDay,
  'date-time': (text) =>
    isDateTime(text) ? { value: text } : { type: 'datetime_from_date_parsing', msg: 'Must be a date-time, ISO 8601' },
  'date-or-date-time': (text) =>
    isDay(text) || isDateTime(text)
      ? { value: text }
      : { type: 'datetime_from_date_parsing', msg: 'Must be a day or a date-time, ISO 8601' },
  'ip-network': (text) => {
    const network = networkOf(text);
    return network === null ? { type: 'value_error', msg: 'Must be an address or a network such as 203.0.113.0/24' } : { value: network };
  },
  'time-zone': (text) => (isTimeZone(text) ? { value: text } : { type: 'value_error', msg: 'Must be an IANA time zone' }),
  uri: (text) =>
    isAddress(text) ? { value: text } : { type: 'value_error', msg: 'Must be an absolute URL: http, https or the scheme of an app' },
};
