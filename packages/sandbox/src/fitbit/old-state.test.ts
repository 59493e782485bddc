import { expect, test } from 'vitest';
import { readOldState } from './old-state.ts';

const spec = { name: 'Ada', timeZone: 'America/New_York' };
const old = {
  format: 1,
  grants: {
    grants: [{ grantId: 'g', clientId: 'CLIENT', ownerId: 'ADA111', scopes: ['sleep'] }],
    access: [{ token: 'access', grantId: 'g', issuedAtMs: 1, expiresAtMs: 2 }],
    refresh: [
      { token: 'used', grantId: 'g', used: { accessToken: 'access', refreshToken: 'fresh', expiresAtMs: 2, graceEndsAtMs: 3 } },
      { token: 'fresh', grantId: 'g' },
    ],
  },
  subscriptions: [{ clientId: 'CLIENT', ownerId: 'ADA111', collection: 'sleep', subscriptionId: '7', subscriberId: '1' }],
  accounts: { Ada: { syncedMs: 60_000, revisions: [['2026-11-20', 5, 12]] } },
  incomplete: { Ada: { date: '2026-11-20', minute: 6, steps: 4 } },
};

test('a state file of the old form keeps consents, tokens, subscriptions and sync positions', () => {
  const grant = { grantId: 'g', clientId: 'CLIENT', providerUserId: 'ADA111', scopes: ['sleep'] };
  expect(readOldState(old, [spec])).toEqual({
    format: 1,
    accounts: [{ spec, person: { ...old.accounts.Ada, incomplete: old.incomplete.Ada } }],
    grants: {
      grants: [grant],
      access: [['access', { grantId: 'g', issuedAtMs: 1, expiresAtMs: 2 }]],
      refresh: [
        [
          'used',
          { grantId: 'g', used: { pair: { grant, accessToken: 'access', refreshToken: 'fresh', expiresIn: null }, graceEndsAtMs: 3 } },
        ],
        ['fresh', { grantId: 'g' }],
      ],
    },
    targets: [],
    memory: [['subscriptions', old.subscriptions]],
  });
});

test('a state file of the present form is not changed', () => {
  expect(readOldState({ format: 1, accounts: [], grants: {}, targets: [], memory: [] }, [spec])).toBeUndefined();
});
