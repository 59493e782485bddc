import { DetailBody } from '@pulsewire/contract';
import { refreshPhoneSession } from '@pulsewire/intake';
import { defineRoute, ok } from '../../route/route.ts';
import { PhoneTokensBody, RefreshTokenBody } from './sdk-schemas.ts';

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
  responses: {
    200: { description: 'New tokens.', schema: PhoneTokensBody },
    401: { description: 'The refresh token is unknown or was revoked.', schema: DetailBody },
  },
  handler: async (context, { body }) => ok(await refreshPhoneSession(context.phone.tokens, body.refresh_token)),
});
