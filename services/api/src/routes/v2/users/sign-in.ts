import { getUser } from '@pulsewire/connections';
import { DetailBody, UserParams, Uuid } from '@pulsewire/contract';
import { openPhoneSession } from '@pulsewire/intake';
import { Type } from 'typebox';
import { type RouteResponse, type ResponseSpec, defineRoute, ok, type Route } from '../../../route/route.ts';
import { CreatePortalUrlBody } from '../../../schemas/users.ts';

/** Documentation of an operation that this server does not implement. */
const notBuiltSpec: ResponseSpec = { description: 'Not implemented.', schema: DetailBody };

/** 501 for an otherwise valid request. */
function notBuilt(what: string): RouteResponse {
  return { status: 501, body: { detail: `${what} are not implemented` } };
}

const SignInToken = Type.Object(
  {
    user_id: Uuid,
    sign_in_token: Type.String({ description: 'A bearer token for the phone endpoints; valid for an hour, and not renewed.' }),
  },
  { title: 'SignInToken' },
);

const createSignInTokenRoute = defineRoute({
  method: 'POST',
  path: '/v2/user/{user_id}/sign_in_token',
  operationId: 'createSignInToken',
  area: 'users',
  auth: 'key',
  reveals: true,
  summary: 'Create a sign-in token for a phone SDK',
  params: UserParams,
  responses: { 200: { description: 'Created.', schema: SignInToken } },
  failures: [404],
  async handler(context, { params: { user_id: userId } }) {
    const { team, key, phone } = context;
    const tokens = await openPhoneSession(phone.tokens, { teamId: team.teamId, userId, appId: `key:${key.keyId}`, isRefreshable: false });
    return ok({ user_id: userId, sign_in_token: tokens.access_token });
  },
});

const createPortalUrlRoute = defineRoute({
  method: 'POST',
  path: '/v2/user/{user_id}/create_portal_url',
  operationId: 'createPortalUrl',
  area: 'users',
  auth: 'key',
  summary: 'Create a patient portal URL (not implemented)',
  params: UserParams,
  body: CreatePortalUrlBody,
  responses: { 501: notBuiltSpec },
  failures: [404],
  async handler(context, { params }) {
    await getUser(context.database, context.team.teamId, params.user_id);
    return notBuilt('Addresses of a patient portal');
  },
});

/** Tokens with which a user signs in. */
export const signInRoutes: readonly Route[] = [createSignInTokenRoute, createPortalUrlRoute];
