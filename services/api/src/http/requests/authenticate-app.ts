import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '@pulsewire/kernel';
import type { ApiContext } from '../../context/context.ts';
import type { Route } from '../../route/route.ts';
import { admitKey } from './admit-key.ts';
import { authenticateTeam } from './authenticate.ts';
import { callerAddress } from './caller-address.ts';

/** A request whose body was validated. */
export interface AppRequest {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly body: unknown;
}

/**
 * Authenticates a request by the `app_id` and `app_secret` of its body, a team's id and API key, within the limits of the key. Throws the
 * errors of `authenticateTeam` and `admitKey`, and AppError `app_credentials_invalid` (401) for the key of another team.
 */
export async function authenticateApp(context: ApiContext, route: Route, { request, reply, body }: AppRequest): Promise<void> {
  const { app_id: appId, app_secret: secret } = body as { readonly app_id: string; readonly app_secret: string };
  const key = await authenticateTeam(context, secret, callerAddress(request.ip));
  // Before the checks, so that their refusals are in the audit log of the key's team.
  request.key = key;
  await admitKey(context, route, key, reply);
  if (key.team.teamId !== appId.toLowerCase())
    throw new AppError({
      code: 'app_credentials_invalid',
      kind: 'unauthorized',
      message: 'app_id is not the id of the team of app_secret',
    });
}
