import { Type } from 'typebox';

/** Settings of processes that link users or are called by providers; to be spread into the settings of a service. */
export const publicAddressConfig = {
  baseUrl: {
    env: 'BASE_URL',
    schema: Type.Optional(Type.String({ format: 'base-url' })),
    defaultText: '`http://HOST:PORT` in the API, none elsewhere',
    description:
      'Address at which browsers and providers reach the API: callbacks, notifications, logos. Without it, ingest creates no subscriptions that need an address.',
  },
} as const;

export const linkConfig = {
  ...publicAddressConfig,
  linkWebUrl: {
    env: 'LINK_WEB_URL',
    schema: Type.Optional(Type.String({ format: 'http-url' })),
    defaultText: '`BASE_URL/link`',
    description: 'Address of the hosted link page; a proxy must keep its path. API and console need the same value.',
  },
  linkTokenSecret: {
    env: 'LINK_TOKEN_SECRET',
    schema: Type.String({ minLength: 32 }),
    secret: true,
    description: 'Signs link tokens; API and console need the same value.',
  },
} as const;
