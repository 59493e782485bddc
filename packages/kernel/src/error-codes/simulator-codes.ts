import type { ErrorCodeTable } from './error-code-entry.ts';

/** Codes of errors of the provider simulators: kind, what it means and what to do. */
export const simulatorCodes = {
  account_unknown: ['not_found', 'The simulator has no account of this name. Create it first.'],
  authorization_refused: ['upstream', 'The simulator refused an authorization. The message has its response.'],
  simulator_state_unreadable: ['invalid', 'The stored state of a simulator cannot be read. Delete the file to begin anew.'],
} as const satisfies ErrorCodeTable;
