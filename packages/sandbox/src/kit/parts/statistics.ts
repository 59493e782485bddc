/** What a simulator received and sent; a copy at the time of the call. */
export interface SimulatorStatistics {
  /** Requests by kind of route, then by status; `cut` if the response was cut off. */
  readonly requests: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Requests beyond the quota. */
  readonly quotaBreaches: number;
  /** Single messages, not requests. `sent` counts every attempt; in the end a message is accepted, failed or dropped. */
  readonly pushes: Readonly<Record<PushOutcome, number>>;
}

export type PushOutcome = 'sent' | 'accepted' | 'failed' | 'dropped';

export interface StatisticsBook {
  request(kind: string, status: number | 'cut'): void;
  quotaBreach(): void;
  push(outcome: PushOutcome, count: number): void;
  read(): SimulatorStatistics;
}

export function createStatistics(): StatisticsBook {
  const requests: Record<string, Record<string, number>> = {};
  const pushes = { sent: 0, accepted: 0, failed: 0, dropped: 0 };
  let quotaBreaches = 0;
  return {
    request(kind, status) {
      const ofKind = (requests[kind] ??= {});
      ofKind[status] = (ofKind[status] ?? 0) + 1;
    },
    quotaBreach: () => void (quotaBreaches += 1),
    push: (outcome, count) => void (pushes[outcome] += count),
    read: () => structuredClone({ requests, quotaBreaches, pushes }),
  };
}
