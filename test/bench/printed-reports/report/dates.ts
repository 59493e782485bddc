const months = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'];
const two = (number: number) => String(number).padStart(2, '0');

/** Writes a UTC date in a form such as `MM/DD/YYYY hh:mm A`, `DD-Mon-YYYY`, `D MONTH YYYY`. */
export function formatDate(date: Date, form: string): string {
  const month = months[date.getUTCMonth()] ?? '';
  const hour = date.getUTCHours();
  const parts: Record<string, string> = {
    YYYY: String(date.getUTCFullYear()),
    YY: two(date.getUTCFullYear() % 100),
    MONTH: month,
    Mon: month.slice(0, 3),
    MON: month.slice(0, 3).toUpperCase(),
    MM: two(date.getUTCMonth() + 1),
    M: String(date.getUTCMonth() + 1),
    DD: two(date.getUTCDate()),
    D: String(date.getUTCDate()),
    HH: two(hour),
    hh: two(hour % 12 === 0 ? 12 : hour % 12),
    h: String(hour % 12 === 0 ? 12 : hour % 12),
    mm: two(date.getUTCMinutes()),
    A: hour < 12 ? 'AM' : 'PM',
  };
  return form.replace(/YYYY|YY|MONTH|Mon|MON|MM|M|DD|D|HH|hh|h|mm|A/g, (token) => parts[token] ?? token);
}

/** The same date as ISO, with the time only if the form prints one. */
export function isoOf(date: Date, form: string): string {
  const iso = date.toISOString();
  return /HH|hh|h:/.test(form) ? iso.slice(0, 16) : iso.slice(0, 10);
}
