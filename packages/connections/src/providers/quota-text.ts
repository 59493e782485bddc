import type { QuotaRule } from '@pulsewire/providers';

const unitMs = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const dayMs = unitMs.d;
const windowDaysMax = 31;
const requestsMax = 1_000_000_000;
const rulePattern = /^(?<scope>app|user) (?<requests>\d{1,10})\/(?<length>\d{1,6})(?<unit>[smhd])(?<aligned> aligned)?$/;

/** The format, for error messages. */
export const quotaForm =
  'limits like "app 100/15m aligned, app 1000/1d aligned, user 150/1h": app or user, requests, a window in s, m, h or d (31d at most), ' +
  'aligned where it begins at full quarters, hours or days UTC and so divides a day; separated by commas, each window once for app and once for user';

function parseRule(text: string): QuotaRule | null {
  const { scope, requests, length, unit, aligned } = rulePattern.exec(text)?.groups ?? {};
  const perMs = Number(length) * (unitMs[unit as keyof typeof unitMs] ?? Number.NaN);
  const isCounted = Number(requests) >= 1 && Number(requests) <= requestsMax;
  if (!isCounted || !(perMs > 0 && perMs <= windowDaysMax * dayMs)) return null;
  if (aligned !== undefined && dayMs % perMs !== 0) return null;
  return {
    scope: scope === 'user' ? 'user' : 'app',
    requests: Number(requests),
    perMs,
    window: aligned === undefined ? 'sliding' : 'aligned',
  };
}

/** Limits that an operator configured, in the format of `quotaForm`; null when malformed. */
export function parseQuotas(text: string): readonly QuotaRule[] | null {
  const parts = text.split(',').map((part) => parseRule(part.trim().replaceAll(/\s+/g, ' ')));
  const rules = parts.filter((rule) => rule !== null);
  // A budget identifies its rules by their windows.
  const windows = new Set(rules.map(({ scope, perMs }) => `${scope} ${perMs}`));
  return rules.length === parts.length && windows.size === rules.length ? rules : null;
}

function lengthText(perMs: number): string {
  const unit = (['d', 'h', 'm'] as const).find((name) => perMs % unitMs[name] === 0) ?? 's';
  return `${perMs / unitMs[unit]}${unit}`;
}

/** The same limits in that format. */
export function quotaText(rules: readonly QuotaRule[]): string {
  return rules
    .map(({ scope, requests, perMs, window }) => `${scope} ${requests}/${lengthText(perMs)}${window === 'aligned' ? ' aligned' : ''}`)
    .join(', ');
}
