export type Json = Readonly<Record<string, unknown>>;

export const objectOf = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};

/** Null for a value that is absent, empty, longer than a name, number or code can be, or contains NUL. */
export function textOf(value: unknown, max = 200): string | null {
  return typeof value === 'string' && value !== '' && value.length <= max && !value.includes('\0') ? value : null;
}

// Of a laboratory's events; Postgres and JSON readers differ about years outside of four digits.
const [firstInstant, lastInstant] = [Date.UTC(1900, 0, 1), Date.UTC(2200, 0, 1)];

/** Why a notice cannot be stored; null when it can. Its texts may not contain NUL, and its times are those of a life. */
export function faultOf(item: unknown): 'nul_character' | 'time_out_of_range' | null {
  // Escaped by JSON.stringify; an even number of backslashes before it belongs to other characters.
  if (/(?<!\\)(?:\\\\)*\\u0000/.test(JSON.stringify(item) ?? '')) return 'nul_character';
  const [notice, report] = [objectOf(item), objectOf(objectOf(item)['report'])];
  const results = listOf(report['results'], Number.POSITIVE_INFINITY).map((result) => objectOf(result)['at']);
  const times = [notice['at'], report['collected_at'], ...results].map((value) =>
    typeof value === 'string' ? Date.parse(value) : Number.NaN,
  );
  return times.some((ms) => ms < firstInstant || ms > lastInstant) ? 'time_out_of_range' : null;
}

export function dateOf(value: unknown): Date | null {
  const at = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return at >= firstInstant && at <= lastInstant ? new Date(at) : null;
}

/** A calendar day, `YYYY-MM-DD`; null for anything else. */
export function dayOf(value: unknown): string | null {
  const at = typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) ? new Date(value) : null;
  // Date moves the thirty-first of a shorter month into the next one.
  return at && !Number.isNaN(at.getTime()) && at.toISOString().startsWith(String(value)) ? String(value) : null;
}

export const listOf = (value: unknown, max: number): readonly unknown[] => (Array.isArray(value) ? value.slice(0, max) : []);

/** The known value, or `unknown`. */
export function oneOf<const Values extends readonly string[]>(values: Values, value: unknown): Values[number] | 'unknown' {
  return typeof value === 'string' && values.includes(value) ? value : 'unknown';
}
