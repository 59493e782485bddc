import type { Logger } from '@pulsewire/kernel';
import { logLevel, type logCreator } from 'kafkajs';

/** Fields of a kafkajs log line that are ours to keep: names and numbers, never a record's content. */
const keptFields = [
  'broker',
  'clientId',
  'groupId',
  'memberId',
  'topic',
  'partition',
  'correlationId',
  'retryCount',
  'retryTime',
  'duration',
] as const;

/** Part of every restart, leader move and rebalance: kafkajs calls them errors and then goes on by itself. */
const passing =
  /rebalanc|not the coordinator|coordinator is loading|is not aware of this member|not available|leader|already exists|Connection (error|timeout)|Closed connection|Failed to send messages|Restarting the consumer|initial producer id|Limiting retries|closed by us/i;

/** Brings the log lines of kafkajs to our logger, with what passes by itself demoted to debug. */
export function createLogCreator(logger: Logger): logCreator {
  return () =>
    ({ namespace, level, log }) => {
      const { message } = log;
      const reason = typeof log['error'] === 'string' ? log['error'] : '';
      const fields: Record<string, unknown> = { component: namespace, message };
      for (const name of keptFields) if (log[name] !== undefined) fields[name] = log[name];
      if (level >= logLevel.INFO || passing.test(`${message} ${reason}`)) logger.debug(fields, 'kafka.client_reported');
      else if (level === logLevel.WARN) logger.info(fields, 'kafka.client_reported');
      else logger.warn(fields, 'kafka.client_reported');
    };
}
