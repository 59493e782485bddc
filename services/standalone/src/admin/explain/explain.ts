import { findUserOfAnyTeam } from '@pulsewire/connections';
import { findResource } from '@pulsewire/contract';
import { conclude, readDay, type DayHistory } from '@pulsewire/explain';
import { AppError, isUuid } from '@pulsewire/kernel';
import { required, type AdminCommand } from '../command/command.ts';
import { describeEvents } from './describe-events.ts';
import { describeConnections, describeResponses, describeSetAside, describeWindows } from './describe-pulls.ts';
import { describeStored } from './describe-stored.ts';

function problems(userId: string, resource: string, day: string): readonly string[] {
  return [
    isUuid(userId) ? null : '<user_id> must be a UUID',
    findResource(resource) ? null : `<resource> must be a resource, such as sleep or heartrate, not ${resource}`,
    /^\d{4}-\d{2}-\d{2}$/.test(day) && !Number.isNaN(Date.parse(day)) ? null : '<day> must be a day, YYYY-MM-DD',
  ].filter((problem) => problem !== null);
}

const sections: readonly (readonly [title: string, describe: (history: DayHistory) => readonly string[], none: string])[] = [
  ['Connections', describeConnections, 'none'],
  ['Requested', describeWindows, 'never'],
  ['Provider responses', describeResponses, 'none kept'],
  ['Set aside', describeSetAside, 'nothing'],
  ['Stored', describeStored, 'nothing'],
  ['Events', describeEvents, 'none in the log'],
];

/** Explains the data of a day, or why there is none. */
export const explainCommand: AdminCommand = {
  name: 'explain',
  usage: '<user_id> <resource> <day>',
  about:
    "print a day's complete history: requests, responses, quarantined items, stored versions, events and deliveries; without health data",
  async run(context, args) {
    const [userId, resource, day] = [required(args, 0, 'user_id'), required(args, 1, 'resource'), required(args, 2, 'day')];
    const wrong = problems(userId, resource, day);
    if (wrong.length > 0) throw new AppError({ code: 'argument_invalid', kind: 'invalid', message: wrong.join('; ') });
    const { database, cipher, providers } = context;
    const user = await findUserOfAnyTeam(database, userId);
    const history = await readDay({ database, cipher, connectorFor: providers?.connectorFor }, user, resource, day);
    const { print } = context;
    print(`${resource} of user ${userId} (team ${history.user.teamId}) on ${day}`);
    for (const [title, describe, none] of sections) {
      const lines = describe(history);
      print(`${title}:${lines.length === 0 ? ` ${none}` : ''}`);
      for (const line of lines) print(`  ${line}`);
    }
    const { verdict, reason, remedy } = conclude(history);
    if (verdict !== 'stored') print(`Nothing is stored. ${reason}${remedy === null ? '' : ` ${remedy}`}`);
  },
};
