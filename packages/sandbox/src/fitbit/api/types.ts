import type { ApiResponse, ApiRoute, UserCall } from '../../kit/definition/definition.ts';
import { RefusalError } from '../../kit/parts/refusal.ts';
import { unitsOf, type Units } from '../data/units.ts';
import type { FitbitPerson } from '../person/person.ts';
import type { FitbitApplication, scopes } from '../types.ts';

/** One authenticated request, as a handler sees it. */
export interface FitbitCall extends Omit<UserCall<FitbitPerson>, 'account'> {
  readonly account: FitbitPerson;
  readonly application: FitbitApplication;
  readonly units: Units;
}

/** One row of the API: to add an endpoint, add a row. */
export interface FitbitRoute {
  readonly kind: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly version: '1' | '1.1' | '1.2';
  /** After `/{version}/user/{id}`. */
  readonly path: string;
  /** Needed besides a valid token; undefined: none, or the handler decides. */
  readonly scope?: (typeof scopes)[number] | undefined;
  readonly respond: (call: FitbitCall) => ApiResponse;
}

/** Throws 403 `insufficient_scope`. */
export function needScope({ grant }: Pick<FitbitCall, 'grant'>, scope: string): void {
  if (!grant.scopes.includes(scope)) throw new RefusalError('scope_missing', `This application does not have the scope ${scope}`);
}

/** Minutes of a day, and readings within a night, are granted to an application beside the scope. Throws 403 `insufficient_permissions`. */
export function needIntraday({ application }: FitbitCall): void {
  if (application.hasIntraday === false) throw new RefusalError('forbidden', 'Intraday data was not granted to this application');
}

/** A row as the kit mounts it. The user of the path is `-` or the token's own. */
export function toApiRoute({ kind, method, version, path, scope, respond }: FitbitRoute): ApiRoute<FitbitPerson> {
  return {
    kind,
    method,
    path: `/${version}/user/:user${path}`,
    auth: 'user',
    ...(scope !== undefined && { scope }),
    respond(call) {
      const { params, headers, grant, parts, account } = call;
      const application: FitbitApplication | undefined = parts.applications.get(grant.clientId);
      // A state file may name applications that this run was not started with.
      if (!application) throw new RefusalError('token_invalid', 'Access token invalid');
      if (params['user'] !== '-' && params['user'] !== account.providerUserId) throw new RefusalError('forbidden', "Another user's data");
      const language = headers['accept-language'];
      return respond({
        ...call,
        account: account.person,
        application,
        units: unitsOf(typeof language === 'string' ? language : undefined),
      });
    },
  };
}
