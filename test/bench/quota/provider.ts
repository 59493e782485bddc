import type { QuotaRule } from '@pulsewire/providers';

/** A provider that counts the requests it receives, by its own clock. */
export interface CountingProvider {
  arrive(atMs: number): void;
  /** Requests beyond a limit so far. */
  breaches(): number;
  /** Fraction of the tightest limit that was used from `fromMs` to `untilMs`. */
  share(fromMs: number, untilMs: number): number;
}

/** `skewMs`: how far its clock is ahead of ours. */
export function createCountingProvider(rules: readonly QuotaRule[], skewMs: number): CountingProvider {
  const arrivals: number[] = [];
  const perMs = ({ requests, perMs: windowMs }: QuotaRule) => requests / windowMs;
  const tightest = Math.min(...rules.map(perMs));

  function breachesOf({ requests, perMs: windowMs, window }: QuotaRule): number {
    const sorted = arrivals.map((at) => at + skewMs).toSorted((a, b) => a - b);
    let first = 0;
    let breaches = 0;
    for (const [index, at] of sorted.entries()) {
      const from = window === 'sliding' ? at - windowMs : Math.floor(at / windowMs) * windowMs - 1;
      while ((sorted[first] ?? 0) <= from) first += 1;
      if (index - first + 1 > requests) breaches += 1;
    }
    return breaches;
  }

  return {
    arrive: (atMs) => void arrivals.push(atMs),
    breaches: () => rules.reduce((sum, rule) => sum + breachesOf(rule), 0),
    share: (fromMs, untilMs) => arrivals.filter((at) => at >= fromMs && at < untilMs).length / (tightest * (untilMs - fromMs)),
  };
}
