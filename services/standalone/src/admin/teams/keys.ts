import { AppError } from '@pulsewire/kernel';
import {
  apiKeyScopes,
  createApiKey,
  findApiKey,
  findTeam,
  listApiKeys,
  revokeApiKey,
  rotateApiKey,
  updateApiKey,
  type ApiKeyScope,
  type Team,
} from '@pulsewire/connections';
import type { Executor } from '@pulsewire/database';
import { networkOf } from '@pulsewire/outbound';
import { required, requiredOption, type AdminArguments, type AdminCommand } from '../command/command.ts';
import { optionInstant } from '../command/options.ts';

async function teamOf(database: Executor, args: AdminArguments): Promise<Team> {
  const team = await findTeam(database, required(args, 0, 'team_id'));
  if (!team) throw new AppError({ code: 'team_not_found', kind: 'not_found', message: 'There is no team with this id' });
  return team;
}

function optionList(args: AdminArguments, name: string): readonly string[] | null {
  const text = args.options[name];
  return typeof text === 'string' ? text.split(',').map((item) => item.trim()) : null;
}

function invalidOption(name: string, words: readonly string[], expected: string): AppError {
  return new AppError({
    code: 'argument_invalid',
    kind: 'invalid',
    message: `--${name} must contain ${expected}; not: ${words.join(', ')}`,
  });
}

function optionScopes(args: AdminArguments): ApiKeyScope[] | null {
  const words = optionList(args, 'scopes');
  const known: readonly string[] = apiKeyScopes;
  const wrong = words?.filter((word) => !known.includes(word)) ?? [];
  if (wrong.length > 0) throw invalidOption('scopes', wrong, apiKeyScopes.join(', '));
  return words as ApiKeyScope[] | null;
}

function optionNetworks(args: AdminArguments): string[] | null {
  const words = optionList(args, 'addresses');
  const wrong = words?.filter((word) => networkOf(word) === null) ?? [];
  if (wrong.length > 0) throw invalidOption('addresses', wrong, 'addresses or networks such as 203.0.113.0/24');
  return words?.map((word) => networkOf(word) ?? word) ?? null;
}

const rateMax = 100_000;

function optionRate(args: AdminArguments): number | null {
  const text = args.options['rate'];
  if (typeof text !== 'string' || text === 'default') return null;
  const rate = Number(text);
  if (!/^\d+$/.test(text) || rate < 1 || rate > rateMax)
    throw invalidOption('rate', [text], `a whole number from 1 to ${rateMax}, or default`);
  return rate;
}

export const keyCommands: readonly AdminCommand[] = [
  {
    name: 'keys list',
    usage: '<team_id>',
    about: 'list the keys of a team; the keys themselves are not stored',
    async run({ database, print }, args) {
      for (const key of await listApiKeys(database, required(args, 0, 'team_id'))) {
        print(
          [
            key.keyId,
            key.label,
            `created ${key.createdAt.toISOString()}`,
            `scopes ${key.scopes?.join(', ') ?? 'all'}`,
            ...(key.allowedAddresses ? [`from ${key.allowedAddresses.join(', ')}`] : []),
            ...(key.expiresAt ? [`until ${key.expiresAt.toISOString()}`] : []),
            ...(key.rateLimit ? [`${key.rateLimit} requests/s`] : []),
            `last used ${key.lastUsedAt?.toISOString() ?? 'never'}`,
            ...(key.revokedAt ? [`revoked ${key.revokedAt.toISOString()}`] : []),
          ].join('  '),
        );
      }
    },
  },
  {
    name: 'keys create',
    usage: '<team_id> --label <text> [--scopes <scope,…>] [--until <instant>] [--addresses <network,…>] [--rate <requests/s>]',
    about: `create another key for a team, shown once; scopes: ${apiKeyScopes.join(', ')}`,
    async run({ database, clock, print }, args) {
      const team = await teamOf(database, args);
      const { key } = await createApiKey(database, clock, {
        team,
        label: requiredOption(args, 'label'),
        scopes: optionScopes(args),
        expiresAt: optionInstant(args, 'until') ?? null,
        allowedAddresses: optionNetworks(args),
        rateLimit: optionRate(args),
      });
      print(`API key (shown once): ${key}`);
    },
  },
  {
    name: 'keys rotate',
    usage: '<team_id> <key_id>',
    about: 'replace a key by a new one, shown once; the old key is revoked immediately',
    async run({ database, clock, print, seededKey }, args) {
      const team = await teamOf(database, args);
      const keyId = required(args, 1, 'key_id');
      const seeded = await seededKey?.read();
      const isSeeded = typeof seeded === 'string' && (await findApiKey(database, seeded))?.keyId === keyId;
      const { key } = await database.transaction((tx) => rotateApiKey(tx, clock, team, keyId));
      if (isSeeded) await seededKey?.save(key);
      print(`API key (shown once): ${key}`);
    },
  },
  {
    name: 'keys rate',
    usage: '<team_id> <key_id> --rate <requests/s | default>',
    about: "set a key's limit of requests per second",
    async run({ database, clock, print }, args) {
      requiredOption(args, 'rate');
      const rateLimit = optionRate(args);
      await updateApiKey(database, clock, required(args, 0, 'team_id'), required(args, 1, 'key_id'), { rateLimit });
      print(rateLimit === null ? 'The default applies.' : `${rateLimit} requests per second.`);
    },
  },
  {
    name: 'keys revoke',
    usage: '<team_id> <key_id>',
    about: 'revoke a key immediately',
    async run({ database, clock, print }, args) {
      await revokeApiKey(database, clock, required(args, 0, 'team_id'), required(args, 1, 'key_id'));
      print('Revoked.');
    },
  },
];
