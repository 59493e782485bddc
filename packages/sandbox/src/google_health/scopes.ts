import type { UserCall } from '../kit/definition/definition.ts';
import { RefusalError } from '../kit/parts/refusal.ts';

const prefix = 'https://www.googleapis.com/auth/googlehealth.';
const suffixes = [
  'activity_and_fitness',
  'health_metrics_and_measurements',
  'sleep',
  'nutrition',
  'ecg',
  'irn',
  'location',
  'profile',
  'settings',
  'reproductive_health',
] as const;

const scopeOf = (suffix: string): string => `${prefix}${suffix}.readonly`;
export const googleHealthScopes: readonly string[] = ['openid', 'email', ...suffixes.map(scopeOf)];

/** Throws a refusal where one of the scopes was not granted. */
export function assertScope({ grant }: UserCall, ...wanted: readonly string[]): void {
  if (!wanted.every((suffix) => grant.scopes.includes(scopeOf(suffix))))
    throw new RefusalError('scope_missing', 'Request had insufficient authentication scopes.');
}
