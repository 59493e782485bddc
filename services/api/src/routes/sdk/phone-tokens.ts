import { DetailBody, UserParams } from '@pulsewire/contract';
import { openPhoneSession, refreshPhoneSession, closePhoneSession, userOfRefreshToken } from '@pulsewire/intake';
import { AppError } from '@pulsewire/kernel';
import { Type } from 'typebox';
import { defineRoute, ok, noContent } from '../../route/route.ts';
import { PhoneTokensBody, tokenBodyBytesMax, RefreshTokenBody } from './sdk-schemas.ts';

const AppCredentials = Type.Object(
  {
    app_id: Type.String({ minLength: 1, maxLength: 100, description: "The team's id." }),
    app_secret: Type.String({
      minLength: 1,
      maxLength: 500,
      format: 'password',
      description: 'An API key of the team with the scope write.',
    }),
  },
  { title: 'AppCredentials' },
);

export const createPhoneTokenRoute = defineRoute({
  method: 'POST',
  path: '/api/v1/users/{user_id}/token',
  operationId: 'createPhoneToken',
  area: 'phones',
  auth: 'app',
  reveals: true,
  summary: 'Sign a phone in',
  description:
    "Called by the team's backend, which hands the tokens to its app. The access token is valid for an hour and only for the phone endpoints.",
  params: UserParams,
  body: AppCredentials,
  bodyBytesMax: tokenBodyBytesMax,
  responses: {
    200: { description: 'Signed in.', schema: PhoneTokensBody },
    401: { description: 'Wrong credentials.', schema: DetailBody },
  },
  failures: [404],
  async handler(context, { params: { user_id: userId }, body }) {
    const { teamId } = context.team;
    return ok(await openPhoneSession(context.phone.tokens, { teamId, userId, appId: body.app_id, isRefreshable: true }));
  },
});

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
  userOf: (context, { body }) => userOfRefreshToken(context.phone.tokens, body.refresh_token),
  responses: {
    200: { description: 'New tokens.', schema: PhoneTokensBody },
    401: { description: 'The refresh token is unknown or was revoked.', schema: DetailBody },
  },
  failures: [503],
  handler: async (context, { body }) => ok(await refreshPhoneSession(context.phone.tokens, body.refresh_token)),
});

export const revokePhoneTokenRoute = defineRoute({
  method: 'POST',
  path: '/api/v1/token/revoke',
  operationId: 'revokePhoneToken',
  area: 'phones',
  auth: 'none',
  summary: 'Sign a phone out',
  body: RefreshTokenBody,
  bodyBytesMax: tokenBodyBytesMax,
  userOf: (context, { body }) => userOfRefreshToken(context.phone.tokens, body.refresh_token),
  responses: { 204: { description: 'Signed out; its access tokens have ended too.' } },
  failures: [404, 503],
  async handler(context, { body }) {
    if (await closePhoneSession(context.phone.tokens, body.refresh_token)) return noContent;
    throw new AppError({ code: 'refresh_token_unknown', kind: 'not_found', message: 'Unknown refresh token' });
  },
});
