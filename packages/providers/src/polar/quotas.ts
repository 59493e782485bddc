import type { QuotaState } from '../kit/types/connector.ts';

const windowsMs: readonly number[] = [15 * 60_000, 86_400_000];

type Headers = Readonly<Record<string, string | undefined>>;

function numbersIn(headers: Headers, name: string): readonly number[] {
  const texts = headers[name]?.split(',') ?? [];
  return texts.map((text) => (/^\s*\d{1,12}\s*$/.test(text) ? Number(text) : Number.NaN));
}

/** The quotas of the application, for fifteen minutes and for a day, as comma-separated numbers in three headers. */
export function readPolarQuotas(headers: Headers): QuotaState[] {
  const [limits, usages, resets] = ['ratelimit-limit', 'ratelimit-usage', 'ratelimit-reset'].map((name) => numbersIn(headers, name));
  return (limits ?? []).flatMap((limit, index): QuotaState[] => {
    const [usage = Number.NaN, reset = Number.NaN] = [usages?.[index], resets?.[index]];
    if (Number.isNaN(limit + usage + reset)) return [];
    const perMs = windowsMs[index];
    return [
      { scope: 'app', ...(perMs === undefined ? {} : { perMs }), limit, remaining: Math.max(0, limit - usage), resetAfterMs: reset * 1000 },
    ];
  });
}
