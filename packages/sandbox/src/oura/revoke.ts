import type { ApiRoute } from '../kit/definition.ts';

/** `POST /oauth/revoke?access_token=…`: the token is all that is asked for. */
export const revokeRoute: ApiRoute = {
  kind: 'oauth.revoke',
  method: 'POST',
  path: '/oauth/revoke',
  auth: 'open',
  respond({ query, parts }) {
    const grant = parts.grants.find(query.get('access_token') ?? '');
    if (!grant) return { status: 400, body: { detail: 'unknown token' } };
    parts.grants.endOne(grant.grantId);
    parts.save();
    return { status: 200, body: {} };
  },
};
