import { AppError, isUuid } from '@pulsewire/kernel';
import { measureVault, renormalise, type RenormaliseTally } from '@pulsewire/ingest';
import { findConnector } from '@pulsewire/providers';
import { required, requiredOption, type AdminArguments, type AdminCommand } from '../command/command.ts';
import { optionText, optionUuid } from '../command/options.ts';

const usersBetweenLines = 100;

/** A day, `YYYY-MM-DD`. Throws AppError `argument_invalid`. */
function requiredDay(args: AdminArguments, name: string): string {
  const text = requiredOption(args, name);
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));
  if (!isDay) throw new AppError({ code: 'argument_invalid', kind: 'invalid', message: `--${name} must be a day, YYYY-MM-DD` });
  return text;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

function describe(tally: RenormaliseTally, isDryRun: boolean): readonly string[] {
  const { users, runs, responses, records, created, updated, streams, removed, events, quarantined } = tally;
  const changes = created + updated + streams;
  const lines = [
    `${users} users, ${runs} windows and pushes, ${responses} responses, ${records} records`,
    `${changes} changes${isDryRun ? ' would be made' : ''} (${created} created, ${updated} updated, ${streams} streams), ${removed} taken back, ${events} events${isDryRun ? ' would go out' : ''}`,
    `${quarantined} set aside, ${tally.notInVault} windows not wholly in the vault`,
  ];
  if (tally.withoutConnection > 0) lines.push(`${tally.withoutConnection} left out: their connection or user is gone`);
  if (tally.gone > 0) lines.push(`${tally.gone} erased or dropped meanwhile`);
  for (const [what, times] of tally.failed) lines.push(`failed: ${what}, ${times} times`);
  return lines;
}

/** The raw vault: its size, and mapping its contents again. */
export const vaultCommands: readonly AdminCommand[] = [
  {
    name: 'vault show',
    usage: '[team_id]',
    about: 'show how many responses and pushes are stored, by provider',
    async run({ database, print }, args) {
      const teamId = args.positionals[0] ?? null;
      if (teamId !== null && !isUuid(teamId))
        throw new AppError({ code: 'argument_invalid', kind: 'invalid', message: '<team_id> must be a UUID' });
      const sizes = await measureVault(database, teamId);
      for (const { provider, runs, responses, rawBytes, keptBytes, firstDay, lastDay } of sizes)
        print(
          `${provider}  ${runs} windows and pushes, ${responses} responses  ${megabytes(rawBytes)} in ${megabytes(keptBytes)}  received ${firstDay} to ${lastDay}`,
        );
      if (sizes.length === 0) print('Nothing is stored.');
    },
  },
  {
    name: 'vault renormalise',
    usage: '<provider> --from <day> --to <day> [--team <team_id>] [--user <user_id>] [--resources <resource,…>] [--dry-run]',
    about: 'map the stored responses of these days again after a mapper was fixed; stores and emits actual changes without calling the provider',
    async run({ database, cipher, print }, args) {
      const isDryRun = args.options['dry-run'] === true;
      const provider = required(args, 0, 'provider');
      const resources = optionText(args, 'resources')?.split(',') ?? null;
      const known = findConnector(provider)?.resources ?? {};
      const unknown = resources?.find((resource) => !Object.hasOwn(known, resource));
      if (unknown !== undefined)
        throw new AppError({ code: 'argument_invalid', kind: 'invalid', message: `${provider} provides no ${unknown}` });
      const tally = await renormalise(
        { database, cipher, connectorFor: findConnector },
        {
          provider,
          from: requiredDay(args, 'from'),
          to: requiredDay(args, 'to'),
          teamId: optionUuid(args, 'team') ?? null,
          userId: optionUuid(args, 'user') ?? null,
          resources,
          isDryRun,
        },
        ({ users, updated, created }) => {
          if (users % usersBetweenLines === 0) print(`${users} users, ${created + updated} changes …`);
        },
      );
      for (const line of describe(tally, isDryRun)) print(line);
    },
  },
];
