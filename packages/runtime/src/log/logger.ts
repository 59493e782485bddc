import type { Logger } from '@pulsewire/kernel';
import { pino, type DestinationStream, type Logger as PinoLogger } from 'pino';
import { createOutageGate } from './outage-gate.ts';
import { redactFields } from './redact.ts';
import { currentTrace } from './trace.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

export interface LoggerOptions {
  /** Process name, on every line as `service`. */
  readonly name: string;
  /** Of a worker process, on every line. */
  readonly workerNumber?: number | undefined;
  readonly level: LogLevel;
  readonly destination: DestinationStream;
}

type Gate = ReturnType<typeof createOutageGate>;

function adapt(logger: PinoLogger, gate: Gate): Logger {
  // The level is checked first: redaction is expensive.
  const write = (level: 'debug' | 'info' | 'warn' | 'error') => (fields: object, event: string) => {
    if (logger.isLevelEnabled(level) && gate(fields, event)) logger[level](redactFields(fields), event);
  };
  return {
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    child: (fields) => adapt(logger.child(redactFields(fields)), gate),
  };
}

/** The kernel's Logger, using pino: one JSON line per event, with time, service and trace id. Redaction happens only here. */
export function createLogger({ name, workerNumber, level, destination }: LoggerOptions): Logger {
  const options = {
    level,
    base: { service: name, ...(workerNumber !== undefined && { workerNumber }) },
    messageKey: 'event',
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    mixin: () => {
      const trace = currentTrace();
      return trace === undefined ? {} : { traceId: trace.traceId };
    },
  };
  const logger = pino(options, destination);
  return adapt(
    logger,
    createOutageGate((kind, fields, event) => logger[kind](fields, event)),
  );
}

/**
 * Destination of log lines: JSON to a file descriptor, or readable lines for a person at a terminal.
 * Both write synchronously, so that the last line before an exit is never lost.
 */
export async function openLogDestination(options: { readonly fd: 1 | 2; readonly pretty: boolean }): Promise<DestinationStream> {
  const { fd, pretty } = options;
  if (!pretty) return pino.destination({ fd, sync: true });
  // Imported only when needed, for a terminal.
  const { default: createPretty } = await import('pino-pretty');
  return createPretty({
    destination: fd,
    sync: true,
    messageKey: 'event',
    ignore: 'pid,hostname,service',
    translateTime: 'SYS:HH:MM:ss',
    singleLine: true,
  });
}
