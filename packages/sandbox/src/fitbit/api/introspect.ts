import type { ApiRoute } from '../../kit/definition/definition.ts';
import { bearerOf } from '../../kit/http/respond-to-route.ts';
import type { FitbitPerson } from '../person/person.ts';

/** `POST /1.1/oauth2/introspect`: the state and scopes of a token of the same application. */
export const introspectRoute: ApiRoute<FitbitPerson> = {
  kind: 'oauth.introspect',
  method: 'POST',
  path: '/1.1/oauth2/introspect',
  auth: 'open',
  respond({ headers, form, parts: { clock, grants } }) {
    const caller = grants.authenticate(bearerOf({ headers }));
    const token = form.get('token') ?? '';
    const lifetime = grants.lifetime(token);
    const grant = grants.find(token);
    if (!lifetime || grant?.clientId !== caller.clientId || clock.wallMs() >= (lifetime.expiresAtMs ?? Infinity))
      return { body: { active: false } };
    return {
      body: {
        active: true,
        scope: `{${grant.scopes.map((name) => `${name.toUpperCase()}=READ_WRITE`).join(', ')}}`,
        client_id: grant.clientId,
        user_id: grant.providerUserId,
        token_type: 'access_token',
        exp: lifetime.expiresAtMs,
        iat: lifetime.issuedAtMs,
      },
    };
  },
};
