/** Postgres' text of a timestamp as a Date (the client hands timestamps over as text). */
export function toDate(text: string): Date {
  return new Date(text);
}

/** The same for a column that may be null. */
export function toDateOrNull(text: string | null): Date | null {
  return text === null ? null : new Date(text);
}

/** Postgres' code for a unique key that is already there. */
const uniqueViolation = '23505';

export function isUniqueViolation(error: unknown, constraint: string): boolean {
  const { code, constraint_name: name } = error as { code?: string; constraint_name?: string };
  return code === uniqueViolation && name === constraint;
}
