import type { ReceiverStatistics } from './types.ts';

type Counted = 'received' | 'verified' | 'rejected' | 'accepted' | 'repeated' | 'invalid';

const eventTypesMax = 500;

export function createCounters() {
  const counts: Record<Counted, number> = { received: 0, verified: 0, rejected: 0, accepted: 0, repeated: 0, invalid: 0 };
  const byEventType = new Map<string, number>();
  let [firstMs, lastMs] = [0, 0];
  let firstProblem: string | undefined;
  const isoOrNone = (ms: number) => (ms === 0 ? undefined : new Date(ms).toISOString());
  return {
    add: (name: Counted) => void (counts[name] += 1),
    arrived(atMs: number) {
      counts.received += 1;
      firstMs ||= atMs;
      lastMs = atMs;
    },
    problem(text: string) {
      counts.invalid += 1;
      firstProblem ??= text;
    },
    eventType(name: string) {
      // Names come from callers: beyond the limit they share one row.
      const key = byEventType.has(name) || byEventType.size < eventTypesMax ? name : 'other';
      byEventType.set(key, (byEventType.get(key) ?? 0) + 1);
    },
    read: (): ReceiverStatistics => ({
      ...counts,
      firstProblem,
      byEventType: Object.fromEntries(byEventType),
      firstAt: isoOrNone(firstMs),
      lastAt: isoOrNone(lastMs),
    }),
  };
}
