import { AppError, isUuid } from '@pulsewire/kernel';
import { findWaitingHandovers, type WaitingHandover } from '@pulsewire/connections';
import { connectors } from '@pulsewire/providers';
import type { AdminArguments, AdminCommand, AdminContext } from '../command/command.ts';

const listMax = 200;

/** Without a team: how many users of each team wait; with one: who they are. */
async function waiting({ database, print }: AdminContext, args: AdminArguments): Promise<void> {
  const [teamId = null] = args.positionals;
  if (teamId !== null && !isUuid(teamId))
    throw new AppError({ code: 'argument_invalid', kind: 'invalid', message: '<team_id> is not an id' });
  const counts = new Map<string, number>();
  let count = 0;
  for await (const handover of findWaitingHandovers(database, connectors, teamId)) {
    count += 1;
    const group = describe(handover);
    counts.set(group, (counts.get(group) ?? 0) + 1);
    if (teamId !== null && count <= listMax) print(handover.userId);
  }
  if (count === 0) return print('No user must consent again.');
  for (const [group, users] of counts) print(`${group}: ${users} ${users === 1 ? 'user' : 'users'}`);
  print('Each must link the second provider once more; until then both connections deliver the same days.');
}

const describe = ({ teamId, from, to }: WaitingHandover) => `team ${teamId}  ${from} to ${to}`;

export const handoverCommands: readonly AdminCommand[] = [
  {
    name: 'handovers waiting',
    usage: '[<team_id>]',
    about: 'how many users of each team must link a successor again before it can take over; with a team, who they are',
    run: waiting,
  },
];
