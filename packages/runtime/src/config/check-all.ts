import { AppError, isAppError } from '@pulsewire/kernel';

/** Runs every check of a configuration. Throws one AppError `config_invalid` with the problems of all, each once. */
export function checkAll(...checks: readonly (() => unknown)[]): void {
  const problems = new Set<string>();
  for (const check of checks) {
    try {
      check();
    } catch (error) {
      if (!isAppError(error) || error.code !== 'config_invalid') throw error;
      const { problems: found = [error.message] } = error.details as { problems?: readonly string[] };
      for (const problem of found) problems.add(problem);
    }
  }
  if (problems.size === 0) return;
  const details = { problems: [...problems] };
  throw new AppError({ code: 'config_invalid', kind: 'invalid', message: details.problems.join('; '), details });
}
