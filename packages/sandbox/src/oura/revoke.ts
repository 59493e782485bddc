import type { ApiRoute } from '../kit/definition/definition.ts';

/** `POST /oauth/revoke?access_token=…`: requires only a valid token. */
export const revokeRoute: ApiRoute = {
  kind: 'oauth.revoke',
  method: 'POST',
  path: '/oauth/revoke',
  auth: 'open',
  respond({ query, parts }) {
    const grant = parts.grants.authenticate(query.get('access_token'));
    parts.grants.endOne(grant.grantId);
    parts.save();
    return { status: 200, body: {} };
  },
};
