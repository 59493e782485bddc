import type { ApiRoute } from '../kit/definition/definition.ts';

/** `POST /oauth/revoke?access_token=…`: a living token is all that is asked for. */
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
