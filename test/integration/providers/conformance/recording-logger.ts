import type { Logger } from '@pulsewire/kernel';

/** A logger that keeps every line as one text, as a sink would get it. */
export function createRecordingLogger(): { readonly logger: Logger; readonly lines: readonly string[] } {
  const lines: string[] = [];
  const plain = (_key: string, value: unknown): unknown => {
    if (value instanceof Error)
      return {
        ...Object.fromEntries(Object.entries(value)),
        name: value.name,
        message: value.message,
        stack: value.stack,
        cause: value.cause,
      };
    return typeof value === 'bigint' ? String(value) : value;
  };
  const write = (fields: object, event: string): void => void lines.push(`${event} ${JSON.stringify(fields, plain)}`);
  const logger: Logger = { debug: write, info: write, warn: write, error: write, child: () => logger };
  return { logger, lines };
}
