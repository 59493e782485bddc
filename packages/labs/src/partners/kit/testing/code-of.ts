/** The code of the error that work fails with; `none` when it succeeds. */
export async function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'none',
    (error: { code?: string }) => error.code ?? 'unknown',
  );
}
