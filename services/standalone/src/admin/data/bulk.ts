import { AppError, isUuid } from '@pulsewire/kernel';
import {
  abortOperation,
  findTeam,
  getOperation,
  listItems,
  listOperations,
  resumeConnections,
  type BulkOperation,
} from '@pulsewire/connections';
import type { Tx } from '@pulsewire/database';
import { restartSchedules } from '@pulsewire/ingest';
import { required, type AdminCommand } from '../command/command.ts';

const listMax = 50;
const failedMax = 1000;

function describe(operation: BulkOperation): string {
  const { operationId, type, provider, status, processed, total, errorCode, startedAt, endedAt } = operation;
  const end = endedAt ? `  ended ${endedAt.toISOString()}` : '';
  return `${operationId}  ${type}  ${provider}  ${status}${errorCode ? ` (${errorCode})` : ''}  ${processed} of ${total}  started ${startedAt.toISOString()}${end}`;
}

function uuid(text: string, name: string): string {
  if (isUuid(text)) return text.toLowerCase();
  throw new AppError({ code: 'argument_invalid', kind: 'invalid', message: `<${name}> is not an id` });
}

export const bulkCommands: readonly AdminCommand[] = [
  {
    name: 'bulk list',
    usage: '<team_id>',
    about: `list a team's ${listMax} newest bulk operations (to enable them: teams set <team_id> bulk_operations=on)`,
    async run({ database, print }, args) {
      const teamId = uuid(required(args, 0, 'team_id'), 'team_id');
      if (!(await findTeam(database, teamId)))
        throw new AppError({ code: 'team_not_found', kind: 'not_found', message: 'There is no team with this id' });
      for (const operation of await listOperations(database, { teamId, limit: listMax, after: null })) print(describe(operation));
    },
  },
  {
    name: 'bulk show',
    usage: '<team_id> <operation_id>',
    about: 'show an operation, and the users for whom it failed, with the reasons',
    async run({ database, print }, args) {
      const operationId = uuid(required(args, 1, 'operation_id'), 'operation_id');
      print(describe(await getOperation(database, uuid(required(args, 0, 'team_id'), 'team_id'), operationId)));
      const failed = await listItems(database, operationId, { outcome: 'failed', limit: failedMax, after: -1 });
      for (const { item, userId, reason } of failed) print(`  item ${item}  user ${userId}  ${reason ?? ''}`);
    },
  },
  {
    name: 'bulk abort',
    usage: '<operation_id>',
    about: 'stop an operation: completed items are kept, and waiting items are not started',
    async run({ database, clock, print }, args) {
      const isAborted = await abortOperation({ database, clock }, uuid(required(args, 0, 'operation_id'), 'operation_id'));
      print(isAborted ? 'Aborted.' : 'It has already ended.');
    },
  },
  {
    name: 'bulk resume',
    usage: '<team_id> <provider>',
    about: 'resume the connections that a bulk pause has stopped',
    async run({ database, clock, print }, args) {
      const teamId = uuid(required(args, 0, 'team_id'), 'team_id');
      const onResumed = (tx: Tx, connectionIds: readonly string[]) => restartSchedules(tx, connectionIds, clock.now());
      print(`${await resumeConnections({ database, clock, onResumed }, teamId, required(args, 1, 'provider'))} connections resumed.`);
    },
  },
];
