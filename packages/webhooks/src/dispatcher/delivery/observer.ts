import type { Metrics } from '@pulsewire/kernel';
import type { AttemptOutcome } from '../../model/attempt-outcome.ts';
import type { AttemptFacts, Delivery, DeliveryKind, RecordItem } from './delivery.ts';

/** Observes every attempt; rates, outcomes and delays are measured here only. */
export interface DeliveryObserver {
  /** A request is about to be made. `attemptedAtMs` in milliseconds since the epoch. */
  started(delivery: Delivery, attemptedAtMs: number): void;
  /** Its outcome is known. */
  settled(delivery: Delivery, attempt: AttemptFacts): void;
  /** A batch was committed. */
  recorded(items: readonly RecordItem[]): void;
}

/**
 * Counters and histograms, labelled by kind and outcome, never by endpoint or team. Replays are excluded from delays, because their events
 * are old.
 */
export function createMetricsObserver(metrics: Metrics): DeliveryObserver {
  return {
    started({ attempts, kind, event }, attemptedAtMs) {
      if (attempts === 0 && kind !== 'replay')
        metrics.observe('webhook_first_attempt_delay_seconds', Math.max(0, attemptedAtMs - event.writtenAt) / 1000);
    },
    settled({ kind, event }, { outcome, attemptedAtMs, durationMs }) {
      if (outcome === 'delivered' && kind !== 'replay')
        metrics.observe('webhook_delivery_delay_seconds', Math.max(0, attemptedAtMs + durationMs - event.writtenAt) / 1000);
    },
    recorded(items) {
      const counts = new Map<string, { readonly outcome: AttemptOutcome; readonly kind: DeliveryKind; count: number }>();
      for (const { attempt, delivery } of items) {
        if (attempt === null) continue;
        const { outcome } = attempt;
        const { kind } = delivery;
        const known = counts.get(kind + outcome);
        if (known) known.count += 1;
        else counts.set(kind + outcome, { outcome, kind, count: 1 });
      }
      for (const { outcome, kind, count } of counts.values()) metrics.count('webhook_attempts_total', { outcome, kind }, count);
    },
  };
}
