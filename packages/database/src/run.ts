import { DrizzleQueryError } from 'drizzle-orm';

/**
 * Runs a drizzle query; every one goes through here. Prepared, because drizzle else takes two round trips.
 * Throws what the driver threw: drizzle's own error carries every parameter in its message, and hides the driver's code.
 */
export async function run<T>(query: { prepare(name: string): { execute(): Promise<T> } }): Promise<T> {
  try {
    // The driver names its statements itself; a name only says that this one is to be kept.
    return await query.prepare('kept').execute();
  } catch (error) {
    throw error instanceof DrizzleQueryError && error.cause !== undefined ? error.cause : error;
  }
}
