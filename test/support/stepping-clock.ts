import { openDatabase } from '@pulsewire/database';

/** The clock of a test database, for sessions that are opened from now on. */
export interface SteppingClock {
  /** Moves the clock by a Postgres interval, relative to its current setting. */
  step(interval: string): Promise<void>;
}

/**
 * Returns a settable clock for a database: functions of the same names precede those of Postgres in the search path of new
 * sessions. Sessions that are already open keep the real time.
 */
export async function makeClockStep(url: string): Promise<SteppingClock> {
  const database = openDatabase({ url, name: 'stepping-clock', connectionsMax: 1 });
  await database.sql.unsafe(`
    CREATE SCHEMA stepping;
    CREATE TABLE stepping.clock (ahead interval NOT NULL);
    INSERT INTO stepping.clock VALUES ('0');
    CREATE FUNCTION stepping.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE AS 'SELECT pg_catalog.clock_timestamp() + (SELECT ahead FROM stepping.clock)';
    CREATE FUNCTION stepping.now() RETURNS timestamptz LANGUAGE sql STABLE AS 'SELECT pg_catalog.now() + (SELECT ahead FROM stepping.clock)';
    DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET search_path = public, stepping, pg_catalog', current_database()); END $$;`);
  await database.close();
  return {
    async step(interval) {
      const own = openDatabase({ url, name: 'stepping-clock', connectionsMax: 1 });
      await own.sql`UPDATE stepping.clock SET ahead = ahead + ${interval}::interval`;
      await own.close();
    },
  };
}
