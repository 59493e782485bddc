import type { users } from '../model/tables.ts';

/** A fallback for sources whose data lack this fact. `source`: `manual` when set by the API, else a provider slug. */
export interface Fallback {
  readonly value: string;
  readonly source: string;
  readonly updatedAt: Date;
}

/** An end user of a team. */
export interface User {
  readonly userId: string;
  readonly teamId: string;
  readonly clientUserId: string;
  /** IANA zone id. */
  readonly fallbackTimeZone: Fallback | null;
  /** `YYYY-MM-DD`. */
  readonly fallbackBirthDate: Fallback | null;
  /** `YYYY-MM-DD`, both inclusive. */
  readonly ingestionStart: string | null;
  readonly ingestionEnd: string | null;
  readonly createdAt: Date;
  /** Set when the user is scheduled for deletion. */
  readonly deletedAt: Date | null;
}

type UserRow = typeof users.$inferSelect;

function toFallback(value: string | null, source: string | null, updatedAt: Date | null): Fallback | null {
  return value === null || source === null || updatedAt === null ? null : { value, source, updatedAt };
}

export function toUser(row: UserRow): User {
  return {
    userId: row.userId,
    teamId: row.teamId,
    clientUserId: row.clientUserId,
    fallbackTimeZone: toFallback(row.fallbackTimeZone, row.fallbackTimeZoneSource, row.fallbackTimeZoneAt),
    fallbackBirthDate: toFallback(row.fallbackBirthDate, row.fallbackBirthDateSource, row.fallbackBirthDateAt),
    ingestionStart: row.ingestionStart,
    ingestionEnd: row.ingestionEnd,
    createdAt: row.createdAt,
    deletedAt: row.deletedAt,
  };
}

/** The columns of a fallback that the team sets; null removes it. */
export function timeZoneColumns(value: string | null, now: Date): Partial<UserRow> {
  return { fallbackTimeZone: value, fallbackTimeZoneSource: value && 'manual', fallbackTimeZoneAt: value === null ? null : now };
}

/** The same for the birth date. */
export function birthDateColumns(value: string | null, now: Date): Partial<UserRow> {
  return { fallbackBirthDate: value, fallbackBirthDateSource: value && 'manual', fallbackBirthDateAt: value === null ? null : now };
}
