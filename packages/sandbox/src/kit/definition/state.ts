import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { AppError, errorCode } from '@pulsewire/kernel';
import type { AccountSnapshot } from '../accounts/accounts.ts';
import type { GrantSnapshot } from '../accounts/grants.ts';
import type { PushTarget } from '../push/sender.ts';

/** The state that must survive a restart, so that clients find the same provider again. */
export interface KeptState {
  readonly format: 1;
  readonly accounts: readonly AccountSnapshot[];
  readonly grants: GrantSnapshot;
  readonly targets: readonly PushTarget[];
  readonly memory: readonly (readonly [string, unknown])[];
}

/**
 * The state of an earlier run; undefined when there was none. `readOld` is given a file first, and returns undefined when it was not
 * written by an earlier version. Throws AppError `simulator_state_unreadable` for a file of another format.
 */
export function readState(file: string, readOld?: (state: unknown) => KeptState | undefined): KeptState | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
  const parsed: unknown = JSON.parse(text);
  const state = readOld?.(parsed) ?? (parsed as KeptState);
  if (state.format === 1) return state;
  throw new AppError({ code: 'simulator_state_unreadable', kind: 'invalid', message: 'The state file has another format' });
}

/** Replaces the file in one step. Tokens are in it, so only its owner reads it. */
export function writeState(file: string, state: KeptState): void {
  mkdirSync(path.dirname(file), { recursive: true });
  const draft = `${file}.tmp`;
  writeFileSync(draft, JSON.stringify(state), { mode: 0o600 });
  renameSync(draft, file);
}
