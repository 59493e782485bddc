import type { SimAccount } from '../accounts/accounts.ts';
import type { SimulatorParts } from './definition.ts';

const keyOf = ({ name }: SimAccount) => `linked ${name}`;

/** Remembers that somebody logged in to an account. */
export function noteLogin({ memory }: SimulatorParts, account: SimAccount): void {
  memory.set(keyOf(account), true);
}

/**
 * Whether the password is another one now. Where credentials open every session, changing it is the one way to take the access
 * back: so an account whose consents were ended after a login has a new one.
 */
export function hasChangedPassword({ memory, grants }: SimulatorParts, account: SimAccount): boolean {
  return memory.has(keyOf(account)) && grants.of(account.providerUserId).length === 0;
}
