/** A Date from Postgres' text of a timestamp, as the client returns it. */
export function toDate(text: string): Date {
  return new Date(text);
}

/** The same for a nullable column. */
export function toDateOrNull(text: string | null): Date | null {
  return text === null ? null : new Date(text);
}

/** Postgres' code for a violated unique constraint. */
const uniqueViolation = '23505';

export function isUniqueViolation(error: unknown, constraint: string): boolean {
  const { code, constraint_name: name } = error as { code?: string; constraint_name?: string };
  return code === uniqueViolation && name === constraint;
}
