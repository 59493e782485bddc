import { readFile } from 'node:fs/promises';
import { accountDirectory, findTeam } from '@pulsewire/connections';
import { AppError, isUuid } from '@pulsewire/kernel';
import {
  assignHeldNotice,
  createLabAccount,
  createPartnerDirectory,
  dropHeldNotice,
  findLabBySlug,
  getHeldNotice,
  importCenters,
  listHeldNotices,
  readReportFile,
  takeReport,
} from '@pulsewire/labs';
import { required, requiredOption, type AdminCommand } from '../command/command.ts';

/** Parses `client_bill=AZ,CA`; reports every invalid item. Throws AppError `argument_invalid`. */
function readBilling(assignments: readonly string[]): Record<string, readonly string[]> {
  const problems = assignments.filter((text) => !/^\w+=[A-Z]{2}(,[A-Z]{2})*$/.test(text));
  if (problems.length > 0)
    throw new AppError({ code: 'argument_invalid', kind: 'invalid', message: `Invalid billing types or states: ${problems.join(' ')}` });
  return Object.fromEntries(assignments.map((text) => text.split('=', 2)).map(([type = '', states = '']) => [type, states.split(',')]));
}

function uuidOf(text: string): string {
  if (isUuid(text)) return text;
  throw new AppError({ code: 'argument_invalid', kind: 'invalid', message: `${text} is not an id` });
}

export const labCommands: readonly AdminCommand[] = [
  {
    name: 'labs account',
    usage: '<team_id> <lab> --account <number> <billing_type>=<state,…> …',
    about: "add a team's active account at a lab, with the states in which each billing type is allowed; the lab follows up on results",
    async run({ database, clock, print }, args) {
      const [teamId, slug] = [required(args, 0, 'team_id'), required(args, 1, 'lab')];
      const [team, lab] = await Promise.all([findTeam(database, teamId), findLabBySlug(database, slug)]);
      if (!team || !lab)
        throw new AppError({
          code: 'argument_invalid',
          kind: 'invalid',
          message: `There is no ${team ? 'lab of this name' : 'team with this id'}`,
        });
      const labAccountId = await createLabAccount(database, clock, {
        labId: lab.labId,
        status: 'active',
        delegatedFlow: 'not_delegated',
        providerAccountId: requiredOption(args, 'account'),
        allowedBilling: readBilling(args.positionals.slice(2)),
        teamIds: [teamId],
      });
      print(`${labAccountId}  ${slug}  ${team.name}`);
    },
  },
  {
    name: 'labs import-centers',
    usage: '<lab> <file.csv>',
    about: 'replace all service centers of a lab, including synthetic ones, by those of a CSV file (columns: packages/labs/README.md)',
    async run({ database, print }, args) {
      const slug = required(args, 0, 'lab');
      const centers = await importCenters(database, slug, await readFile(required(args, 1, 'file.csv'), 'utf8'));
      print(`${centers} service centers of ${slug}`);
    },
  },
  {
    name: 'labs receive-results',
    usage: '<team_id> <lab> <file.json>',
    about:
      'store results that a lab sent for a team; they are matched to an order by their sample, or await review (format: packages/labs/README.md)',
    async run({ database, cipher, clock, print }, args) {
      const [teamId, slug] = [required(args, 0, 'team_id'), required(args, 1, 'lab')];
      const [team, lab] = await Promise.all([accountDirectory.findTeam(database, teamId), findLabBySlug(database, slug)]);
      if (!team || !lab)
        throw new AppError({
          code: 'argument_invalid',
          kind: 'invalid',
          message: `There is no ${team ? 'lab of this name' : 'team with this id'}`,
        });
      const report = readReportFile(lab.labId, await readFile(required(args, 2, 'file.json'), 'utf8'));
      const labs = { database, cipher, clock, owners: accountDirectory, partners: createPartnerDirectory([], { clock }) };
      const taken = await takeReport(labs, team, report);
      if (taken.kind === 'matched') print(`matched  order ${taken.orderId}`);
      else if (taken.kind === 'review') print(`in review  ${taken.resultId}  ${taken.code}`);
      else print('repeated  nothing changed');
    },
  },
  {
    name: 'labs held',
    usage: '[<notice_id>]',
    about: 'list the 100 oldest notices of labs that fit no order with certainty, or several; with an id, print what the lab sent',
    async run({ database, cipher, print }, args) {
      const [noticeId] = args.positionals;
      if (noticeId !== undefined)
        return print(JSON.stringify((await getHeldNotice({ database, cipher }, uuidOf(noticeId))).notice, null, 2));
      for (const held of await listHeldNotices({ database, cipher }, { limit: 100 }))
        print(`${held.createdAt.toISOString()}  ${held.noticeId}  ${held.labSlug}  ${held.reason}`);
    },
  },
  {
    name: 'labs assign-held',
    usage: '<notice_id> <order_id>',
    about: 'apply a held notice to an order of a team; results of another patient than that of the order await the review of the team',
    async run({ database, cipher, clock, print }, args) {
      const labs = { database, cipher, clock, owners: accountDirectory, partners: createPartnerDirectory([], { clock }) };
      print(await assignHeldNotice(labs, uuidOf(required(args, 0, 'notice_id')), uuidOf(required(args, 1, 'order_id'))));
    },
  },
  {
    name: 'labs drop-held',
    usage: '<notice_id>',
    about: 'delete a held notice',
    async run({ database, print }, args) {
      const noticeId = uuidOf(required(args, 0, 'notice_id'));
      await dropHeldNotice({ database }, noticeId);
      print(`dropped  ${noticeId}`);
    },
  },
];
