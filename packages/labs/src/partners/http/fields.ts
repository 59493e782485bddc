export type Json = Readonly<Record<string, unknown>>;

export const objectOf = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};

/** Null for a value that is absent, empty or longer than a name, number or code can be. */
export function textOf(value: unknown, max = 200): string | null {
  return typeof value === 'string' && value !== '' && value.length <= max ? value : null;
}

export function dateOf(value: unknown): Date | null {
  const at = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? null : new Date(at);
}

export const listOf = (value: unknown, max: number): readonly unknown[] => (Array.isArray(value) ? value.slice(0, max) : []);

/** The known value, or `unknown`. */
export function oneOf<const Values extends readonly string[]>(values: Values, value: unknown): Values[number] | 'unknown' {
  return typeof value === 'string' && values.includes(value) ? value : 'unknown';
}
