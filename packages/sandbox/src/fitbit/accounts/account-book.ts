import type { Recording } from '../../recording/types.ts';
import type { SimulatorClock } from '../../simulator-clock.ts';
import { createAccount } from './account.ts';
import type { Account, AccountSnapshot, AccountSpec } from './types.ts';

/** The people who have an account at the simulated provider. */
export interface AccountBook {
  list(): readonly Account[];
  byName(name: string): Account | undefined;
  byOwner(ownerId: string): Account | undefined;
  /** Throws RangeError when the name or the owner id is taken. */
  add(spec: AccountSpec): Account;
  snapshot(): Readonly<Record<string, AccountSnapshot>>;
}

export interface AccountBookContext {
  readonly recording: Recording;
  readonly clock: SimulatorClock;
  readonly snapshot: Readonly<Record<string, AccountSnapshot>>;
}

export function createAccountBook(specs: readonly AccountSpec[], context: AccountBookContext): AccountBook {
  const { recording, clock, snapshot } = context;
  const byName = new Map<string, Account>();
  const byOwner = new Map<string, Account>();

  function add(spec: AccountSpec): Account {
    const account = createAccount(spec, { recording, clock, snapshot: snapshot[spec.name] });
    if (byName.has(account.name) || byOwner.has(account.ownerId)) throw new RangeError('an account of this name or owner id exists');
    byName.set(account.name, account);
    byOwner.set(account.ownerId, account);
    return account;
  }

  for (const spec of specs) add(spec);
  return {
    list: () => [...byName.values()],
    byName: (name) => byName.get(name),
    byOwner: (ownerId) => byOwner.get(ownerId),
    add,
    snapshot: () => Object.fromEntries([...byName].map(([name, account]) => [name, account.snapshot()])),
  };
}
