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
    about: "list a team's own OAuth applications",
    async run({ database, print }, args) {
      for (const credential of await listOAuthCredentials(database, required(args, 0, 'team_id'))) {
        print(`${credential.provider}  client id ${credential.clientId}  redirect ${credential.redirectUrlOverride ?? 'ours'}`);
      }
    },
  },
  {
    name: 'oauth put',
    usage: '<team_id> <provider> --client-id <id> [--redirect-url <url>]   (secret in the variable CLIENT_SECRET)',
    about: "set a team's own OAuth application at a provider; the secret is stored encrypted",
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
    about: "remove a team's OAuth application; the tokens of its connections can no longer be refreshed",
    async run({ database, print }, args) {
      const isDeleted = await deleteOAuthCredential(database, required(args, 0, 'team_id'), required(args, 1, 'provider'));
      print(isDeleted ? 'Removed.' : 'There is none.');
    },
  },
  {
    name: 'scopes set',
    usage: '<team_id> <provider> [scope …]',
    about: 'set the scopes that a user must grant for a link to be accepted; without scopes, remove the requirement',
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
