import { dayMs } from '@pulsewire/kernel';
import { networkOf } from '@pulsewire/outbound';

/** The result of a format check: the parsed value, or an error code. */
export type FormatResult = { readonly value: string } | { readonly type: string; readonly msg: string };

const day = /^(\d{4})-(\d{2})-(\d{2})$/;
const dateTime = /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}):(\d{2})(?::(\d{2})(\.\d{1,9})?)?(?:[Zz]|[+-](?:[01]\d|2[0-3]):?[0-5]\d)?$/;
// An offset may move the first or last day of the calendar out of range, where the database has no instants.
const firstMs = Date.parse('0001-01-01T00:00:00Z');
const lastMs = Date.parse('9999-12-31T23:59:59.999Z');
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether the text is a calendar day; 31 April is not. */
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

/** The end of the UTC day of an instant, exclusive. The calendar's last day ends with its last instant: the database has no year 10000. */
export function dayEnd(atMs: number): Date {
  return new Date(Math.min((Math.floor(atMs / dayMs) + 1) * dayMs, lastMs));
}

/** Whether the zone is in the runtime's time zone database; other offsets and abbreviations are invalid. */
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
  // A date-time at midnight counts as a day.
  if (/^.{10}[Tt ]00:00(?::00(?:\.0+)?)?(?:[Zz]|[+-]\d{2}:?\d{2})?$/.test(text)) return { value: text.slice(0, 10) };
  return { type: 'date_from_datetime_inexact', msg: 'Must be a day without a time of day' };
}

// Browsers execute or open these themselves, so such a URL leads to neither a site nor an app.
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

// Browsers leave these out or change them, so that people would go elsewhere than the text says.
const changed = /[\p{Cc}\p{Zl}\p{Zp}\\]/u;

function isAddress(text: string): boolean {
  return !changed.test(text) && /^[a-z][a-z0-9+.-]*:/i.test(text) && URL.canParse(text) && !unsafeSchemes.has(new URL(text).protocol);
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
  reference: (text) => (text.trim() === '' ? { type: 'value_error', msg: 'Must not be blank' } : { value: text }),
  // Names and lines of addresses: labels, requisitions and partners have one line for each.
  trimmed: (text) =>
    /[\p{Cc}\p{Zl}\p{Zp}]/u.test(text) ? { type: 'value_error', msg: 'Must not contain tabs or line breaks' } : { value: text },
  email: (text) => (/^[^\s@]+@[^\s@]+\.[^\s@.]+$/.test(text) ? { value: text } : { type: 'value_error', msg: 'Must be an e-mail address' }),
  phone: (text) =>
    /^\+?[\d\s().-]+$/.test(text) && text.replaceAll(/\D/g, '').length >= 10
      ? { value: text }
      : { type: 'value_error', msg: 'Must be a telephone number of at least ten digits' },
  uri: (text) =>
    isAddress(text)
      ? { value: text }
      : {
          type: 'value_error',
          msg: 'Must be an absolute URL without control characters or backslashes: http, https or the scheme of an app',
        },
};
