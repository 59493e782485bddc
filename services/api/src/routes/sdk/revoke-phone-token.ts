import { AppError } from '@pulsewire/kernel';
import { closePhoneSession } from '@pulsewire/intake';
import { defineRoute, noContent } from '../../route/route.ts';
import { RefreshTokenBody, tokenBodyBytesMax } from './sdk-schemas.ts';

export const revokePhoneTokenRoute = defineRoute({
  method: 'POST',
  path: '/api/v1/token/revoke',
  operationId: 'revokePhoneToken',
  area: 'phones',
  auth: 'none',
  summary: 'Sign a phone out',
  body: RefreshTokenBody,
  bodyBytesMax: tokenBodyBytesMax,
  turnsOf: ({ body }) => `token ${body.refresh_token}`,
  responses: { 204: { description: 'Signed out; its access tokens have ended too.' } },
  failures: [404, 503],
  async handler(context, { body }) {
    if (await closePhoneSession(context.phone.tokens, body.refresh_token)) return noContent;
    throw new AppError({ code: 'refresh_token_unknown', kind: 'not_found', message: 'Unknown refresh token' });
  },
});
