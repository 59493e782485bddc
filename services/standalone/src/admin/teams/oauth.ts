import { AppError } from '@pulsewire/kernel';
import { deleteOAuthCredential, findTeam, listOAuthCredentials, putMustGrantScopes, putOAuthCredential } from '@pulsewire/connections';
import { findConnector } from '@pulsewire/providers';
import { required, requiredOption, type AdminCommand } from '../command/command.ts';

function knownProvider(slug: string): string {
  if (!findConnector(slug)) throw new AppError({ code: 'provider_unknown', kind: 'invalid', message: `There is no provider "${slug}"` });
  return slug;
}

export const oauthCommands: readonly AdminCommand[] = [
  {
    name: 'oauth list',
    usage: '<team_id>',
    about: "a team's own OAuth applications",
    async run({ database, print }, args) {
      for (const credential of await listOAuthCredentials(database, required(args, 0, 'team_id'))) {
        print(`${credential.provider}  client id ${credential.clientId}  redirect ${credential.redirectUrlOverride ?? 'ours'}`);
      }
    },
  },
  {
    name: 'oauth put',
    usage: '<team_id> <provider> --client-id <id> [--redirect-url <url>]   (secret in the variable CLIENT_SECRET)',
    about: "sets a team's own OAuth application at a provider; the secret is stored encrypted",
    async run(context, args) {
      const teamId = required(args, 0, 'team_id');
      if (!(await findTeam(context.database, teamId)))
        throw new AppError({ code: 'team_not_found', kind: 'not_found', message: 'There is no team with this id' });
      const redirect = args.options['redirect-url'];
      await putOAuthCredential(context.database, context, {
        teamId,
        provider: knownProvider(required(args, 1, 'provider')),
        clientId: requiredOption(args, 'client-id'),
        clientSecret: context.secret('CLIENT_SECRET'),
        redirectUrlOverride: typeof redirect === 'string' ? redirect : null,
      });
      context.print('Stored.');
    },
  },
  {
    name: 'oauth delete',
    usage: '<team_id> <provider>',
    about: "removes a team's application; connections made with it cannot refresh any more",
    async run({ database, print }, args) {
      const isDeleted = await deleteOAuthCredential(database, required(args, 0, 'team_id'), required(args, 1, 'provider'));
      print(isDeleted ? 'Removed.' : 'There was none.');
    },
  },
  {
    name: 'scopes set',
    usage: '<team_id> <provider> [scope …]',
    about: 'scopes that a user must grant, else the link is refused; none lifts the demand',
    async run({ database, print }, args) {
      await putMustGrantScopes(
        database,
        required(args, 0, 'team_id'),
        knownProvider(required(args, 1, 'provider')),
        args.positionals.slice(2),
      );
      print('Stored.');
    },
  },
];
