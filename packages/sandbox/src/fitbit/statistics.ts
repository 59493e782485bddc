/** What the simulator saw and did. Plain numbers, a copy at the moment of asking. */
export interface FitbitStatistics {
  /** Requests by kind of path, then by status; `cut` where the answer was broken off. */
  readonly requests: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Requests beyond the quota. */
  readonly quotaBreaches: number;
  /** Single notices, not requests. A notice is accepted, failed or dropped in the end. */
  readonly notifications: Readonly<Record<NotificationOutcome, number>>;
  readonly verifications: { readonly passed: number; readonly failed: number };
  /** Minutes that `publish` made known, and minutes whose value it changed. */
  readonly minutesAppeared: number;
  readonly minutesRevised: number;
}

export type NotificationOutcome = 'sent' | 'accepted' | 'failed' | 'dropped';

export interface StatisticsBook {
  request(kind: string, status: number | 'cut'): void;
  quotaBreach(): void;
  notification(outcome: NotificationOutcome, count: number): void;
  verification(isPassed: boolean): void;
  published(appeared: number, revised: number): void;
  read(): FitbitStatistics;
}

export function createStatistics(): StatisticsBook {
  const requests: Record<string, Record<string, number>> = {};
  const notifications = { sent: 0, accepted: 0, failed: 0, dropped: 0 };
  const verifications = { passed: 0, failed: 0 };
  let [quotaBreaches, minutesAppeared, minutesRevised] = [0, 0, 0];
  return {
    request(kind, status) {
      const ofKind = (requests[kind] ??= {});
      ofKind[status] = (ofKind[status] ?? 0) + 1;
    },
    quotaBreach: () => void (quotaBreaches += 1),
    notification: (outcome, count) => void (notifications[outcome] += count),
    verification: (isPassed) => void (verifications[isPassed ? 'passed' : 'failed'] += 1),
    published(appeared, revised) {
      minutesAppeared += appeared;
      minutesRevised += revised;
    },
    read: () => structuredClone({ requests, quotaBreaches, notifications, verifications, minutesAppeared, minutesRevised }),
  };
}
