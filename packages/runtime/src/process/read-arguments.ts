/** What a process is asked to do: start, or print something and end. */
type ProcessAction = 'start' | 'help' | 'check-config' | 'version';

export interface ProcessArguments {
  readonly action: ProcessAction;
  /** Arguments that no process has; nothing may then be started. */
  readonly unknown: readonly string[];
}

const actions: Readonly<Record<string, ProcessAction>> = { '--help': 'help', '--check-config': 'check-config', '--version': 'version' };

/** EX_USAGE of sysexits.h. */
export const usageExitCode = 64;

export const usage = 'Options: --help (lists the settings), --check-config (checks them), --version. Without an option the process starts.';

/** Reads the arguments of a process. Of several options, the first in the order of `usage` counts. */
export function readArguments(given: readonly string[]): ProcessArguments {
  const wanted = Object.keys(actions).find((option) => given.includes(option));
  return {
    action: wanted === undefined ? 'start' : (actions[wanted] ?? 'start'),
    unknown: given.filter((argument) => !Object.hasOwn(actions, argument)),
  };
}
