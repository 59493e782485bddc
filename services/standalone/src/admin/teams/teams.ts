import { AppError } from '@pulsewire/kernel';
import {
  createApiKey,
  createTeam,
  deleteTeam,
  findTeam,
  listTeams,
  undoTeamDeletion,
  updateTeam,
  type Team,
  type TeamChanges,
} from '@pulsewire/connections';
import { historyDaysMax } from '@pulsewire/providers';
import { endRawForms } from '@pulsewire/store';
import { required, requiredOption, type AdminCommand } from '../command/command.ts';
import { describeSourceOrder, parseSourceOrder } from './source-order.ts';

/** Settings that are on or off, by their names on the command line. */
const switches = {
  push_historical_data: 'pushHistoricalData',
  reject_duplicate_connection: 'rejectDuplicateConnection',
  provider_raw_data: 'providerRawData',
  bulk_operations: 'bulkOperations',
  confirm_links: 'confirmLinks',
  partial_results: 'partialResults',
  minor_ordering: 'minorOrdering',
  human_review: 'humanReview',
  booking_before_requisition: 'bookingBeforeRequisition',
  refuse_personal_references: 'refusePersonalReferences',
} as const satisfies Readonly<Record<string, keyof TeamChanges>>;
const isSwitch = (name: string | undefined): name is keyof typeof switches => name !== undefined && Object.hasOwn(switches, name);

function describe(team: Team): string {
  const kind = team.isSandbox ? 'sandbox' : 'production';
  const settings = [
    ...Object.entries(switches).map(([name, key]) => `${name}=${team[key] ? 'on' : 'off'}`),
    `contract_date=${team.contractDate ?? 'today'}`,
    `history_days=${team.historyDays ?? 'usual'}`,
    `redirect_schemes=${team.redirectSchemes.join(',') || 'none'}`,
    ...describeSourceOrder(team.sourceOrder),
  ];
  return `${team.teamId}  ${team.name}  (${kind})  ${settings.join('  ')}`;
}

const isHistoryDays = (value: string) => value === 'usual' || (/^[1-9]\d{0,2}$/.test(value) && Number(value) <= historyDaysMax);

/** Parses settings such as `push_historical_data=off`; reports every unknown one. */
export function parseTeamChanges(assignments: readonly string[]): TeamChanges {
  const changes: { -readonly [K in keyof TeamChanges]: TeamChanges[K] } = {};
  const problems: string[] = [];
  for (const assignment of assignments) {
    const [name = '', value = ''] = assignment.split('=', 2);
    const sourceOrder = parseSourceOrder(name, value);
    if (name === 'name' && value !== '') changes.name = value;
    else if (name === 'contract_date' && (value === 'today' || /^\d{4}-\d{2}-\d{2}$/.test(value)))
      changes.contractDate = value === 'today' ? null : value;
    else if (name === 'history_days' && isHistoryDays(value)) changes.historyDays = value === 'usual' ? null : Number(value);
    else if (name === 'redirect_schemes' && value !== '') changes.redirectSchemes = value === 'none' ? [] : value.toLowerCase().split(',');
    else if (sourceOrder) changes.sourceOrder = { ...changes.sourceOrder, ...sourceOrder };
    else if (isSwitch(name) && (value === 'on' || value === 'off')) changes[switches[name]] = value === 'on';
    else problems.push(assignment);
  }
  if (problems.length > 0 || assignments.length === 0) {
    throw new AppError({
      code: 'argument_invalid',
      kind: 'invalid',
      message: `Invalid settings: ${problems.join(', ') || 'none given'}. Settings: name=<text>, contract_date=<YYYY-MM-DD|today>, history_days=<1-${historyDaysMax}|usual>, redirect_schemes=<scheme,…|none>, source_order[.<resource>]=<provider or provider/type,…|usual>, ${Object.keys(switches).join(', ')} =on|off`,
    });
  }
  return changes;
}

export const teamCommands: readonly AdminCommand[] = [
  {
    name: 'teams list',
    usage: '',
    about: 'list all teams and their settings',
    async run({ database, print }) {
      for (const team of await listTeams(database)) print(describe(team));
    },
  },
  {
    name: 'teams create',
    usage: '--name <text> [--production]',
    about: 'create a team and its first API key, which is shown once; a sandbox team unless --production is given',
    async run({ database, clock, print }, args) {
      const name = requiredOption(args, 'name');
      const { team, key } = await database.transaction(async (tx) => {
        const created = await createTeam(tx, clock, { name, isSandbox: args.options['production'] !== true });
        const made = await createApiKey(tx, clock, { team: created, label: 'first' });
        return { team: created, key: made.key };
      });
      print(describe(team));
      print(`API key (shown once): ${key}`);
    },
  },
  {
    name: 'teams set',
    usage: '<team_id> <setting>=<value> …',
    about:
      'change settings of a team, such as push_historical_data=off, contract_date=2024-01-01, history_days=365, redirect_schemes=myapp (URL schemes of its apps), source_order.steps=fitbit/watch,apple_health_kit (sources that merged reads of steps prefer; without a resource: those of all other resources) or confirm_links=on (the user confirms every OAuth link on the hosted page, even one that was started with an API key)',
    async run({ database, print }, args) {
      const teamId = required(args, 0, 'team_id');
      const team = await findTeam(database, teamId);
      if (!team) throw new AppError({ code: 'team_not_found', kind: 'not_found', message: 'There is no team with this id' });
      const changes = parseTeamChanges(args.positionals.slice(1));
      // Runs that started before it was switched off may have stored raw forms since.
      if (changes.providerRawData === true && !team.providerRawData) await endRawForms(database, teamId);
      const changed = await updateTeam(database, teamId, changes);
      if (changes.providerRawData === false) await endRawForms(database, teamId);
      print(describe(changed));
    },
  },
  {
    name: 'teams delete',
    usage: '<team_id> --force',
    about: 'revoke the keys of a team immediately and disconnect its users; its data, except the audit log, are erased after seven days',
    async run({ database, clock, print }, args) {
      const teamId = required(args, 0, 'team_id');
      const team = await findTeam(database, teamId);
      if (!team) throw new AppError({ code: 'team_not_found', kind: 'not_found', message: 'There is no team with this id' });
      if (args.options['force'] !== true)
        throw new AppError({
          code: 'argument_missing',
          kind: 'invalid',
          message: `This deletes ${team.name} with all of its users, connections and data. To confirm, repeat the command with --force`,
        });
      await deleteTeam(database, clock, teamId);
      print(`${team.name} is deleted. For seven days, \`teams undelete ${teamId}\` restores it, without its connections.`);
    },
  },
  {
    name: 'teams undelete',
    usage: '<team_id>',
    about: 'undo the deletion of a team within seven days; its users have to connect again',
    async run({ database, clock, print }, args) {
      await undoTeamDeletion(database, clock, required(args, 0, 'team_id'));
      print('The team and its users are restored.');
    },
  },
];
