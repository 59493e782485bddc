import type { SimAccount } from '../accounts/accounts.ts';
import type { SimulatorParts } from './definition.ts';

const keyOf = ({ name }: SimAccount) => `linked ${name}`;

/** Remembers that someone logged in to an account. */
export function recordLogin({ memory }: SimulatorParts, account: SimAccount): void {
  memory.set(keyOf(account), true);
}

/**
 * Whether the password was changed. If every session starts with credentials, changing the password is the only way to withdraw
 * access: so an account has a new password if its consents ended after a login.
 */
export function hasChangedPassword({ memory, grants }: SimulatorParts, account: SimAccount): boolean {
  return memory.has(keyOf(account)) && grants.of(account.providerUserId).length === 0;
}
