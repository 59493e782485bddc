import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { AppError, errorCode } from '@pulsewire/kernel';
import type { AccountSnapshot } from './accounts/types.ts';
import type { GrantSnapshot } from './oauth/types.ts';
import type { Revision } from './publish.ts';
import type { Subscription } from './subscriptions/types.ts';

/** What must outlive a restart, so that clients find the same provider again. */
export interface SimulatorState {
  readonly format: 1;
  readonly grants: GrantSnapshot;
  readonly subscriptions: readonly Subscription[];
  readonly accounts: Readonly<Record<string, AccountSnapshot>>;
  /** Minutes that wait for their completion, by account. */
  readonly incomplete: Readonly<Record<string, Revision>>;
}

/** The state of an earlier run; undefined when there was none. Throws for a file that is not one of ours. */
export function readState(file: string): SimulatorState | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
  const state = JSON.parse(text) as SimulatorState;
  if (state.format !== 1)
    throw new AppError({ code: 'simulator_state_unreadable', kind: 'invalid', message: 'The state file has another format' });
  return state;
}

/** Replaces the file in one step: a simulator killed while it writes leaves the old one. Tokens are in it, so only its owner reads it. */
export function writeState(file: string, state: SimulatorState): void {
  mkdirSync(path.dirname(file), { recursive: true });
  const draft = `${file}.tmp`;
  writeFileSync(draft, JSON.stringify(state), { mode: 0o600 });
  renameSync(draft, file);
}
