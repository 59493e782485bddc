import { readFile } from 'node:fs/promises';
import { AppError } from '@pulsewire/kernel';
import { getUser } from '@pulsewire/connections';
import { ParsedReportData } from '@pulsewire/contract';
import { completeReview, listReportsInReview, readDoubtfulResults, readReportInReview } from '@pulsewire/labs';
import { Value } from 'typebox/value';
import { required, type AdminCommand, type AdminContext } from '../command/command.ts';
import { optionText } from '../command/options.ts';

const shown = 200;

const contextOf = ({ database, cipher, clock }: AdminContext) => ({ database, cipher, clock, owners: { findUser: getUser } });

/** Corrected results from a file. Throws AppError `argument_invalid`. */
async function readCorrection(file: string): Promise<ParsedReportData> {
  const data: unknown = JSON.parse(await readFile(file, 'utf8'));
  if (Value.Check(ParsedReportData, data)) return data;
  const problems = Value.Errors(ParsedReportData, data).map(({ instancePath, message }) => `${instancePath} ${message}`);
  throw new AppError({ code: 'argument_invalid', kind: 'invalid', message: `The corrected results are malformed: ${problems.slice(0, 20).join('; ')}` });
}

/** Human reviews of parsed lab reports. */
export const reportCommands: readonly AdminCommand[] = [
  {
    name: 'reports list',
    usage: '',
    about: `list the ${shown} oldest lab reports that await review`,
    async run({ database, print }) {
      const rows = await listReportsInReview(database, shown);
      for (const row of rows) print(`${row.jobId}  team ${row.teamId}  since ${row.updatedAt.toISOString()}`);
    },
  },
  {
    name: 'reports show',
    usage: '<job_id>',
    about: 'print the parsed results of a lab report that awaits review as JSON; these are health data',
    async run(context, args) {
      context.print(JSON.stringify(await readReportInReview(contextOf(context), required(args, 0, 'job_id')), null, 2));
    },
  },
  {
    name: 'reports doubtful',
    usage: '<job_id>',
    about: 'list results of a lab report that awaits review whose numbers may be misread because the scan is poor; these are health data',
    async run(context, args) {
      for (const { test_name: name, value, units } of await readDoubtfulResults(contextOf(context), required(args, 0, 'job_id')))
        context.print(`${name}  ${value}${units == null ? '' : ` ${units}`}`);
    },
  },
  {
    name: 'reports review',
    usage: '<job_id> [--data <file>]',
    about: 'complete a lab report that awaits review, optionally with corrected results from a file in the format of `reports show`',
    async run(context, args) {
      const file = optionText(args, 'data');
      const corrected = file === undefined ? undefined : await readCorrection(file);
      const row = await completeReview(contextOf(context), required(args, 0, 'job_id'), corrected);
      context.print(`${row.jobId}  ${row.status}`);
    },
  },
];
