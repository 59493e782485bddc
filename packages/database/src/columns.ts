import { bigint, customType, date, timestamp } from 'drizzle-orm/pg-core';

// The names stay literal types, so that rows of hand-written statements can be typed by them.

export const bytea = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => 'bytea' });
/** As a Date, which has milliseconds: for times that we set ourselves. */
export const instant = <Name extends string>(name: Name) => timestamp(name, { withTimezone: true, mode: 'date' });
/** As the text of Postgres: a Date would lose the microseconds. */
export const instantText = <Name extends string>(name: Name) => timestamp(name, { withTimezone: true, mode: 'string' });
/** `YYYY-MM-DD`: a Date would move the day into a time zone. */
export const day = <Name extends string>(name: Name) => date(name, { mode: 'string' });
/** A bigint column. */
export const counter = <Name extends string>(name: Name) => bigint(name, { mode: 'bigint' });
/** A bigint column whose values stay within what a number holds exactly. */
export const safeCounter = <Name extends string>(name: Name) => bigint(name, { mode: 'number' });
