/**
 * Postgres' text of an instant in a form that `new Date` reads. JavaScript misreads years below 100 without a `T` ("0001" as 2001), and
 * knows neither BC nor years of five digits; usual texts are returned as they are. `infinity` has no other form.
 */
export function instantText(text: string): string {
  const [, year = '', rest = '', offset = '', isBefore] =
    /^(\d{4,6})(-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?)([+-]\d\d(?::?\d\d){0,2})?( BC)?$/.exec(text) ?? [];
  if (year === '' || (isBefore === undefined && year.length === 4 && year >= '0100')) return text;
  const at = isBefore === undefined ? Number(year) : 1 - Number(year);
  const digits = String(Math.abs(at));
  const full = at >= 0 && at <= 9999 ? digits.padStart(4, '0') : `${at < 0 ? '-' : '+'}${digits.padStart(6, '0')}`;
  return `${full}${rest.replace(' ', 'T')}${offset.length === 3 ? `${offset}:00` : offset}`;
}
