import { DetailBody } from '@pulsewire/contract';
import { refreshPhoneSession } from '@pulsewire/intake';
import { defineRoute, ok } from '../../route/route.ts';
import { PhoneTokensBody, RefreshTokenBody, tokenBodyBytesMax } from './sdk-schemas.ts';

export const renewPhoneTokenRoute = defineRoute({
  method: 'POST',
  path: '/api/v1/token/refresh',
  operationId: 'renewPhoneToken',
  area: 'phones',
  auth: 'none',
  reveals: true,
  summary: "Renew a phone's tokens",
  description: 'The refresh token is replaced; the previous one stays valid until its successor has been used.',
  body: RefreshTokenBody,
  bodyBytesMax: tokenBodyBytesMax,
  turnsOf: ({ body }) => `token ${body.refresh_token}`,
  responses: {
    200: { description: 'New tokens.', schema: PhoneTokensBody },
    401: { description: 'The refresh token is unknown or was revoked.', schema: DetailBody },
  },
  failures: [503],
  handler: async (context, { body }) => ok(await refreshPhoneSession(context.phone.tokens, body.refresh_token)),
});
