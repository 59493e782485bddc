import type { Logger } from '@pulsewire/kernel';
import { logLevel, type logCreator } from 'kafkajs';

/** Fields of a kafkajs log line that we log: names and numbers, never the content of a record. */
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

/** Part of every restart, leader move and rebalance: kafkajs logs them as errors and recovers by itself. */
const transient =
  /rebalanc|not the coordinator|coordinator is loading|is not aware of this member|not available|leader|already exists|Connection (error|timeout)|Closed connection|Failed to send messages|Restarting the consumer|initial producer id|Limiting retries|closed by us/i;

/** Routes log lines of kafkajs to our logger; transient errors become debug lines. */
export function createLogCreator(logger: Logger): logCreator {
  return () =>
    ({ namespace, level, log }) => {
      const { message } = log;
      const reason = typeof log['error'] === 'string' ? log['error'] : '';
      const fields: Record<string, unknown> = { component: namespace, message };
      for (const name of keptFields) if (log[name] !== undefined) fields[name] = log[name];
      if (level >= logLevel.INFO || transient.test(`${message} ${reason}`)) logger.debug(fields, 'kafka.client_reported');
      else if (level === logLevel.WARN) logger.info(fields, 'kafka.client_reported');
      else logger.warn(fields, 'kafka.client_reported');
    };
}
