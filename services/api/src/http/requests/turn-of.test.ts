import { expect, it } from 'vitest';
import { connectors } from '@pulsewire/providers';
import { allRoutes } from '../../routes/all-routes.ts';
import { createTeamSlots } from '../../limits/team-slots.ts';
import { runInTurn, turnsOf } from './turn-of.ts';

const routes = allRoutes(connectors);
const of = (kind: ReturnType<typeof turnsOf>) => routes.filter((route) => turnsOf(route) === kind).map(({ operationId }) => operationId);

it('gives every route turns for the database but those that receive the pushes of providers', () => {
  expect(of('none').toSorted()).toEqual(['answerPushHandshake', 'answerUnsignedPushHandshake', 'receivePush', 'receiveUnsignedPush']);
});

it('lets requests hold no turn while they receive their body or wait for a provider, a partner or a job', () => {
  expect(of('transactions')).toEqual(
    expect.arrayContaining(['createParsingJob', 'syncPhone', 'bulkImport', 'receiveLabPartnerPush', 'finishOAuthLink', 'linkWithPassword']),
  );
  expect(of('whole')).toEqual(
    expect.arrayContaining(['createUser', 'signPhoneOut', 'renewPhoneToken', 'revokePhoneToken', 'logPhoneEvents']),
  );
});

it('leaves turns to a known phone while one address presents many invented tokens', async () => {
  const openSlots = createTeamSlots(4);
  const context = { openSlots, teamSlots: openSlots } as unknown as Parameters<typeof runInTurn>[0];
  const route = {
    ...(routes.find(({ operationId }) => operationId === 'renewPhoneToken') as (typeof routes)[number]),
    userOf: async (_context: unknown, token: unknown) => (token === 'known' ? 'ada' : null),
  };
  const started: unknown[] = [];
  const held = Promise.withResolvers<void>();
  const send = (token: string) => {
    const request = { phone: null, key: null, ip: token === 'known' ? '198.51.100.7' : '192.0.2.1', headers: {} } as unknown as Parameters<
      typeof runInTurn
    >[2];
    return runInTurn(context, route, request, token, async () => {
      started.push(token);
      await held.promise;
    });
  };
  const invented = Array.from({ length: 9 }, (_, index) => send(`invented ${index}`));
  await expect.poll(() => started.length).toBeGreaterThan(0);
  const known = send('known');
  await expect.poll(() => started).toContain('known');
  held.resolve();
  await Promise.all([...invented, known]);
  expect(started).toHaveLength(10);
});
