import { DrizzleQueryError } from 'drizzle-orm';

/**
 * Runs a drizzle query; all of them go through here. Prepared, because drizzle otherwise needs two round trips. Throws the driver's error:
 * drizzle's own error has every parameter in its message and hides the driver's code.
 */
export async function run<T>(query: { prepare(name: string): { execute(): Promise<T> } }): Promise<T> {
  try {
    // The driver names its statements itself; the name here only marks the statement as reusable.
    return await query.prepare('kept').execute();
  } catch (error) {
    throw error instanceof DrizzleQueryError && error.cause !== undefined ? error.cause : error;
  }
}
