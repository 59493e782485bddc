import { expect, it } from 'vitest';
import { connectors } from '@pulsewire/providers';
import { allRoutes } from '../../routes/all-routes.ts';
import { turnsOf } from './turn-of.ts';

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
