import { errorCode, isAppError, isDatabaseOutage, isTransient } from '@pulsewire/kernel';

/** Without such a line for this long, the outage is over. */
const quietMs = 10_000;

/** A start that waits reports each attempt itself. */
const ungated: ReadonlySet<string> = new Set(['process.start_waits', 'process.start_failed']);

export type Emit = (level: 'info' | 'warn', fields: object, event: string) => void;

/** The code of the outage that a line reports; null when it reports something else. */
function outageOf(fields: object): string | null {
  const { error, errorCode: code } = fields as { readonly error?: unknown; readonly errorCode?: unknown };
  if (error !== undefined && !isAppError(error) && isTransient(error)) return errorCode(error);
  return typeof code === 'string' && isDatabaseOutage(code) ? code : null;
}

/**
 * While the database is away, every request and every worker reports it. Returns whether to write a line: of an outage only the begin and the
 * end are reported, with the number of lines in between.
 */
export function createOutageGate(emit: Emit): (fields: object, event: string) => boolean {
  let outage: { readonly startedAt: number; suppressed: number; timer: NodeJS.Timeout } | null = null;
  const end = () => {
    if (outage === null) return;
    const { startedAt, suppressed } = outage;
    outage = null;
    emit('info', { outageMs: Math.round(performance.now() - startedAt - quietMs), suppressedLines: suppressed }, 'database.available');
  };
  return (fields, event) => {
    const code = ungated.has(event) ? null : outageOf(fields);
    if (code === null) return true;
    if (outage === null) {
      outage = { startedAt: performance.now(), suppressed: 0, timer: setTimeout(end, quietMs).unref() };
      emit('warn', { errorCode: code, reportedBy: event }, 'database.unavailable');
    }
    outage.suppressed += 1;
    outage.timer.refresh();
    return false;
  };
}
