import { createSimulator, type SimulatorEntry } from '@pulsewire/sandbox';

export const pebbleSimulator: SimulatorEntry = {
  slug: 'pebble',
  start: (options) =>
    createSimulator(
      {
        slug: 'pebble',
        capabilities: { auth: 'oauth', refresh: true, revocation: false, push: null, removes: [], pages: false, truth: true },
        oauth: {
          authorizePath: '/authorize',
          tokenPath: '/token',
          clientAuth: 'body',
          pkce: 'optional',
          scopeSeparator: ' ',
          scopes: ['steps'],
          refresh: 'rotates',
          accessTokenSeconds: 3600,
        },
        routes: [
          { kind: 'me', method: 'GET', path: '/me', auth: 'user', respond: ({ account }) => ({ body: { id: account.providerUserId } }) },
          {
            kind: 'days',
            method: 'GET',
            path: '/days',
            auth: 'user',
            scope: 'steps',
            respond({ account, query }) {
              const days = account.person.days(query.get('from') ?? '', query.get('to') ?? '');
              return { body: { days: days.map(({ date, steps }) => ({ date, steps })) } };
            },
          },
        ],
      },
      options,
    ),
};
