import { Type } from 'typebox';
import { DetailBody, UserParams } from '@pulsewire/contract';
import { openPhoneSession } from '@pulsewire/intake';
import { defineRoute, ok } from '../../route/route.ts';
import { PhoneTokensBody, tokenBodyBytesMax } from './sdk-schemas.ts';

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
