import { isVaried } from '@pulsewire/kernel';
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

// Whoever guesses it signs tokens for every user.
const secretSchema = Type.Refine(
  Type.String(),
  (text) => text.trim().length >= 32 && isVaried(text),
  () => 'at least 32 characters, 10 of them different, such as the output of `openssl rand -hex 32`',
);

export const linkConfig = {
  ...publicAddressConfig,
  linkWebUrl: {
    env: 'LINK_WEB_URL',
    schema: Type.Optional(Type.String({ format: 'base-url' })),
    defaultText: '`BASE_URL/link`',
    description: 'Address of the hosted link page; a proxy must keep its path. API and console need the same value.',
  },
  linkTokenSecret: {
    env: 'LINK_TOKEN_SECRET',
    schema: secretSchema,
    secret: true,
    description: 'Signs link tokens; API and console need the same value.',
  },
} as const;
