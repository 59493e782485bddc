import type { Labels } from '@pulsewire/kernel';

export type CheckedLabels =
  | { readonly ok: true; readonly labels: Labels; readonly reason?: string }
  | { readonly ok: false; readonly reason: string };

export interface LabelGuard {
  check(labels: Labels): CheckedLabels;
}

/** More than all routes of the API with the statuses that they have. */
const combinationsMax = 2500;
const valueLengthMax = 64;

// One series per user, event or address would overload any metrics store; such values belong in logs and traces.
const unboundedName = /(^|_)(id|uuid|url|email|path|message|token|key)$/;

/**
 * Bounds the label cardinality of one metric: the same names at each use, no names of individual things such as ids,
 * values truncated to 64 characters, and at most 2,500 combinations, beyond which every value is `other`.
 */
export function createLabelGuard(labelNames: readonly string[]): LabelGuard {
  const forbidden = labelNames.find((name) => unboundedName.test(name));
  const combinations = new Set<string>();
  const overflow = Object.fromEntries(labelNames.map((name) => [name, 'other']));
  return {
    check(labels) {
      if (forbidden !== undefined) return { ok: false, reason: `label ${forbidden} has no bound` };
      const names = Object.keys(labels);
      if (names.length !== labelNames.length || !labelNames.every((name) => name in labels)) {
        return { ok: false, reason: `labels ${names.join(', ')} instead of ${labelNames.join(', ')}` };
      }
      const checked: Record<string, string> = {};
      let combination = '';
      for (const name of labelNames) {
        checked[name] = String(labels[name]).slice(0, valueLengthMax);
        combination += `${checked[name]}\n`;
      }
      if (!combinations.has(combination)) {
        if (combinations.size >= combinationsMax)
          return { ok: true, labels: overflow, reason: `more than ${combinationsMax} label combinations` };
        combinations.add(combination);
      }
      return { ok: true, labels: checked };
    },
  };
}
