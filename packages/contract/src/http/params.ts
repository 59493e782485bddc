import { Type, type Static } from 'typebox';
import { closedEnum, servedProviderEnum, Uuid } from '../fields/fields.ts';

/** Path with a user's id. */
export const UserParams = Type.Object({ user_id: Uuid }, { title: 'UserParams' });
export type UserParams = Static<typeof UserParams>;

/** GET /v2/user/resolve/{client_user_id}. */
export const ClientUserParams = Type.Object({ client_user_id: Type.String({ minLength: 1 }) }, { title: 'ClientUserParams' });
export type ClientUserParams = Static<typeof ClientUserParams>;

/** DELETE /v2/user/{user_id}/{provider}: any slug; an unknown connection is 404, not 422. */
export const UserProviderParams = Type.Object({ user_id: Uuid, provider: Type.String() }, { title: 'UserProviderParams' });
export type UserProviderParams = Static<typeof UserProviderParams>;

/** Path of an OAuth link, with the slugs of the provider registry. */
export function oauthProviderParams<const Slugs extends readonly string[]>(slugs: Slugs) {
  return Type.Object({ oauth_provider: servedProviderEnum(slugs) }, { title: 'OAuthProviderParams' });
}

/** Path of a link with user name and password, by e-mail, or by hand, with the allowed slugs. */
export function linkProviderParams<const Slugs extends readonly string[]>(slugs: Slugs) {
  return Type.Object({ provider: closedEnum(slugs) }, { title: 'LinkProviderParams' });
}

/** Path with the id of a workout's summary. */
export const WorkoutParams = Type.Object({ workout_id: Uuid }, { title: 'WorkoutParams' });
export type WorkoutParams = Static<typeof WorkoutParams>;

/** Paths of the webhook endpoints. */
export const WebhookParams = Type.Object({ webhook_id: Type.String() }, { title: 'WebhookParams' });
export type WebhookParams = Static<typeof WebhookParams>;
