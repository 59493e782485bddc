import { linkConfig } from '@pulsewire/connections';
import { defineConfig, type ConfigOf } from '@pulsewire/runtime';
import { Type } from 'typebox';

/** Settings of the portal as a process of its own, in addition to those of every process. It has no database. */
export const portalConfig = defineConfig({
  host: {
    env: 'HOST',
    schema: Type.String({ format: 'host', default: '127.0.0.1' }),
    description: 'Address on which the portal listens.',
  },
  port: {
    env: 'PORT',
    schema: Type.Integer({ minimum: 0, maximum: 65_535, default: 8070 }),
    description: 'Port of the portal; 0 picks a free one.',
  },
  baseUrl: {
    env: linkConfig.baseUrl.env,
    schema: Type.String({ format: 'base-url' }),
    description:
      'Address of the API as browsers reach it; the portal is at /portal of the same host. Used in the commands that pages show.',
  },
  apiUrl: {
    env: 'PORTAL_API_URL',
    schema: Type.Optional(Type.String({ format: 'base-url' })),
    defaultText: '`BASE_URL`',
    description:
      "Address at which the portal reaches the API. The API needs the portal's address in TRUSTED_PROXIES, so that limits and the audit log are about the person.",
  },
  linkTokenSecret: linkConfig.linkTokenSecret,
  trustedProxies: {
    env: 'TRUSTED_PROXIES',
    schema: Type.Array(Type.String({ format: 'network' }), { default: [] }),
    defaultText: 'none',
    description: 'Networks of proxies whose X-Forwarded-For header identifies the person.',
  },
});

export type PortalConfig = ConfigOf<typeof portalConfig>;
