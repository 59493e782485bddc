const months = 'JanFebMarAprMayJunJulAugSepOctNovDec';
const clock = String.raw`(\d\d):(\d\d):(\d\d)`;
// RFC 9110, 5.6.7: the usual form, the one of RFC 850 with two digits for the year, and that of asctime, always in UTC.
const usual = new RegExp(`^[a-z]{3}, (\\d\\d) ([a-z]{3}) (\\d{4}) ${clock} GMT$`, 'i');
const rfc850 = new RegExp(`^[a-z]{6,9}, (\\d\\d)-([a-z]{3})-(\\d\\d) ${clock} GMT$`, 'i');
const asctime = new RegExp(`^[a-z]{3} ([a-z]{3}) ([ \\d]\\d) ${clock} (\\d{4})$`, 'i');

function instantOf(year: number, month: string, day: string, time: readonly (string | undefined)[]): number | undefined {
  const index = months.indexOf(`${month.charAt(0).toUpperCase()}${month.slice(1).toLowerCase()}`);
  if (index < 0 || index % 3 !== 0) return undefined;
  const [hours = 0, minutes = 0, seconds = 0] = time.map(Number);
  return Date.UTC(year, index / 3, Number(day), hours, minutes, seconds);
}

/** Two digits mean the year of this century, unless that is more than fifty years ahead. */
function fullYear(twoDigits: string, nowMs: number): number {
  const thisYear = new Date(nowMs).getUTCFullYear();
  const year = thisYear - (thisYear % 100) + Number(twoDigits);
  return year > thisYear + 50 ? year - 100 : year;
}

/** An HTTP date in any of its three forms, in ms since the epoch; undefined for anything else. */
function parseHttpDate(text: string, nowMs: number): number | undefined {
  const [, day = '', month = '', year = '', ...time] = usual.exec(text) ?? [];
  if (day !== '') return instantOf(Number(year), month, day, time);
  const [, oldDay = '', oldMonth = '', oldYear = '', ...oldTime] = rfc850.exec(text) ?? [];
  if (oldDay !== '') return instantOf(fullYear(oldYear, nowMs), oldMonth, oldDay, oldTime);
  const [, cMonth = '', cDay = '', h, m, s, cYear = ''] = asctime.exec(text) ?? [];
  return cMonth === '' ? undefined : instantOf(Number(cYear), cMonth, cDay, [h, m, s]);
}

/**
 * Reads `Retry-After`, seconds or an HTTP date, as milliseconds from `nowMs`. Undefined when it is missing or malformed; never negative.
 */
export function parseRetryAfter(header: string | readonly string[] | undefined, nowMs: number): number | undefined {
  const text = (typeof header === 'string' ? header : header?.[0])?.trim();
  if (text === undefined || text === '' || text.length > 64) return undefined;
  if (/^\d+$/.test(text)) return Math.min(Number(text), Number.MAX_SAFE_INTEGER / 1000) * 1000;
  const delayMs = (parseHttpDate(text, nowMs) ?? Number.NaN) - nowMs;
  return Number.isNaN(delayMs) ? undefined : Math.max(0, delayMs);
}
