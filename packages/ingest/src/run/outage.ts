import type { Verdict } from '../session/judge-failure.ts';

/** A single resource may fail for long without the others. Different ones in a row mean that the provider itself is failing. */
const pullsMax = 3;
/** Waits no longer, so that data arrives soon after the provider has recovered. */
const waitMaxMs = 5 * 60_000;
/** An operator's mistake does not pass by itself. */
const configurationWaitMs = 3_600_000;

/** Recognises within one run that a provider is failing as a whole. */
export interface OutageWatch {
  /** Takes the verdict on a window, null when it was read. Returns for how long the connection should wait, in ms; null: it goes on. */
  note(pull: string, verdict: Verdict | null): number | null;
}

/**
 * Watches one run. In an outage, or while the provider refuses the operator's application, it would try every open window in vain, and use up
 * the attempts that each of them has; instead the connection waits as long as the first of the failed windows: at most five minutes, or an hour
 * where only the operator can end the failure.
 */
export function watchForOutage(): OutageWatch {
  const delays = new Map<string, number>();
  return {
    note(pull, verdict) {
      if (verdict === null) delays.clear();
      else if ('errorCode' in verdict && verdict.errorCode === 'provider_transient')
        delays.set(pull, verdict.kind === 'retry' ? Math.min(waitMaxMs, verdict.delayMs) : waitMaxMs);
      else if ('errorCode' in verdict && verdict.errorCode === 'provider_configuration') delays.set(pull, configurationWaitMs);
      return delays.size < pullsMax ? null : Math.min(...delays.values());
    },
  };
}
