import type { KeptState } from '../kit/definition/state.ts';
import type { FitbitAccountSpec } from './accounts/types.ts';
import type { FitbitPersonSnapshot } from './person/person.ts';
import { subscriptionsKey } from './subscriptions/subscriptions.ts';

/** The state file as it was before Fitbit was built from the kit. Folders of `npm start` may still hold one. */
interface OldState {
  readonly grants: {
    readonly grants: readonly {
      readonly grantId: string;
      readonly clientId: string;
      readonly ownerId: string;
      readonly scopes: readonly string[];
    }[];
    readonly access: readonly {
      readonly token: string;
      readonly grantId: string;
      readonly issuedAtMs: number;
      readonly expiresAtMs: number;
    }[];
    readonly refresh: readonly {
      readonly token: string;
      readonly grantId: string;
      readonly used?: { readonly accessToken: string; readonly refreshToken: string; readonly graceEndsAtMs: number };
    }[];
  };
  readonly subscriptions: readonly unknown[];
  readonly accounts: Readonly<Record<string, FitbitPersonSnapshot>>;
  readonly incomplete: Readonly<Record<string, FitbitPersonSnapshot['incomplete']>>;
}

/** Converts a state file of the old form; undefined for one of the present form. */
export function readOldState(state: unknown, specs: readonly FitbitAccountSpec[]): KeptState | undefined {
  if (typeof state !== 'object' || state === null || 'memory' in state || !('incomplete' in state)) return undefined;
  const { grants, subscriptions, accounts, incomplete } = state as OldState;
  const consents = grants.grants.map(({ ownerId, ...grant }) => ({ ...grant, providerUserId: ownerId }));
  const consentOf = new Map(consents.map((grant) => [grant.grantId, grant]));
  return {
    format: 1,
    accounts: specs.map((spec) => {
      const person = accounts[spec.name];
      return { spec, person: person && { ...person, incomplete: incomplete[spec.name] } };
    }),
    grants: {
      grants: consents,
      access: grants.access.map(({ token, ...access }) => [token, access] as const),
      refresh: grants.refresh.map(({ token, grantId, used }) => {
        const grant = consentOf.get(grantId);
        if (!used || !grant) return [token, { grantId }] as const;
        const { accessToken, refreshToken, graceEndsAtMs } = used;
        return [token, { grantId, used: { pair: { grant, accessToken, refreshToken, expiresIn: null }, graceEndsAtMs } }] as const;
      }),
    },
    targets: [],
    memory: [[subscriptionsKey, subscriptions]],
  };
}
