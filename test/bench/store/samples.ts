import type { SampleGroup } from '@pulsewire/contract';

const baseMs = Date.UTC(2026, 0, 1);
const minuteMs = 60_000;

/** Minute samples of one series as in a provider's intraday response; `revision` changes every tenth value. */
export function minuteSamples(options: {
  readonly resource: string;
  readonly from: number;
  readonly count: number;
  readonly revision?: number;
}): SampleGroup {
  const { resource, from, count, revision = 0 } = options;
  return {
    kind: 'samples',
    resource,
    source: { provider: 'fitbit', type: 'watch' },
    samples: Array.from({ length: count }, (_, i) => {
      const minute = from + i;
      const value = (minute * 7919) % 180;
      const ts = baseMs + minute * minuteMs;
      return { ts, end: ts + minuteMs, value: minute % 10 === 0 ? value + revision : value, timezoneOffset: 3600 };
    }),
  };
}

/** Heart-rate samples at irregular seconds, as watches record them: these compress worst in a receipt. */
export function irregularSamples(options: { readonly from: number; readonly count: number }): SampleGroup {
  let seconds = options.from * 8;
  return {
    kind: 'samples',
    resource: 'heartrate',
    source: { provider: 'fitbit', type: 'watch' },
    samples: Array.from({ length: options.count }, (_, i) => {
      seconds += 1 + (((options.from + i) * 2_654_435_761) % 15);
      return { ts: baseMs + seconds * 1000, value: 50 + ((i * 31) % 120), timezoneOffset: 3600 };
    }),
  };
}
