import { hash32 } from '../../model/seeded.ts';
import type { AccountPerson, Person } from '../person/person.ts';
import type { AccountSpec } from '../types.ts';

/** An account in a simulator. */
export interface SimAccount<P extends AccountPerson = Person> {
  readonly name: string;
  readonly providerUserId: string;
  readonly person: P;
  readonly region: string | null;
  readonly wantsMfa: boolean;
  readonly hasNoObstacles: boolean;
  readonly username: string;
  readonly password: string;
  readonly mfaCode: string;
  readonly email: string;
}

export interface AccountSnapshot {
  readonly spec: AccountSpec;
  readonly person: unknown;
}

export interface AccountBook<P extends AccountPerson = Person> {
  add(spec: AccountSpec): SimAccount<P>;
  list(): readonly SimAccount<P>[];
  byName(name: string): SimAccount<P> | undefined;
  byProviderUserId(id: string): SimAccount<P> | undefined;
  byUsername(username: string): SimAccount<P> | undefined;
  snapshot(): readonly AccountSnapshot[];
}

export interface AccountBookOptions {
  readonly snapshot: readonly AccountSnapshot[];
  readonly regions: readonly string[];
  readonly providerUserId: (name: string) => string;
  readonly createPerson: (spec: AccountSpec, snapshot: unknown) => AccountPerson;
}

/** Digits derived from the name. */
export function digitsOf(name: string): string {
  return String(1_000_000 + (hash32(`account:${name}`) % 9_000_000));
}

export function createAccountBook({ snapshot, regions, providerUserId, createPerson }: AccountBookOptions): AccountBook<AccountPerson> {
  const accounts = new Map<string, SimAccount<AccountPerson> & { readonly spec: AccountSpec }>();
  const kept = new Map(snapshot.map((entry) => [entry.spec.name, entry]));

  function add(spec: AccountSpec): SimAccount<AccountPerson> {
    const { name } = spec;
    const account = {
      spec,
      name,
      providerUserId: providerUserId(name),
      person: createPerson(spec, kept.get(name)?.person),
      region: spec.region ?? regions[0] ?? null,
      wantsMfa: spec.wantsMfa ?? false,
      hasNoObstacles: spec.hasNoObstacles ?? false,
      username: `${name.toLowerCase().replaceAll(' ', '.')}@mail.example`,
      password: `Pass-${digitsOf(name)}`,
      mfaCode: digitsOf(`code ${name}`).slice(0, 6),
      email: `${name.toLowerCase().replaceAll(' ', '.')}@mail.example`,
    };
    accounts.set(name, account);
    return account;
  }
  for (const { spec } of snapshot) add(spec);
  const find = (test: (account: SimAccount<AccountPerson>) => boolean) => [...accounts.values()].find(test);
  return {
    // Adding the same name again returns the same account, because a restarted simulator is given its accounts again.
    add: (spec) => accounts.get(spec.name) ?? add(spec),
    list: () => [...accounts.values()],
    byName: (name) => accounts.get(name),
    byProviderUserId: (id) => find((account) => account.providerUserId === id),
    byUsername: (username) => find((account) => account.username === username),
    snapshot: () => [...accounts.values()].map(({ spec, person }) => ({ spec, person: person.snapshot() })),
  };
}
