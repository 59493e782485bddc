/** Runs parts of a job one after the other; a failed one does not prevent the others. Throws the errors after the last part. */
export async function eachOf(parts: readonly (() => Promise<number>)[]): Promise<readonly number[]> {
  const results: number[] = [];
  const errors: unknown[] = [];
  for (const part of parts) {
    results.push(
      await part().catch((error: unknown) => {
        errors.push(error);
        return 0;
      }),
    );
  }
  if (errors.length > 0) throw errors.length === 1 ? errors[0] : new AggregateError(errors, 'Some parts of the job failed');
  return results;
}
