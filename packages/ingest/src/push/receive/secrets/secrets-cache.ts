import type { Clock } from '@pulsewire/kernel';
import type { PushSecrets } from './push-secrets.ts';

/** Decrypting a thousand secrets takes tens of milliseconds: too much for every unauthenticated call. */
const keptMs = 30_000;

/** The secrets of a provider; `ageMaxMs` requires that they are no older, since a secret may just have been set. */
export type SecretsFor = (provider: string, ageMaxMs?: number) => Promise<PushSecrets>;

/** Caches the result of `load` for half a minute. Concurrent calls share one load. Failures are not cached. */
export function cacheSecrets(load: (provider: string) => Promise<PushSecrets>, clock: Clock): SecretsFor {
  const kept = new Map<string, { readonly atMs: number; readonly secrets: Promise<PushSecrets> }>();
  return (provider, ageMaxMs = keptMs) => {
    const nowMs = clock.monotonicMs();
    const found = kept.get(provider);
    if (found && nowMs - found.atMs <= Math.min(ageMaxMs, keptMs)) return found.secrets;
    const secrets = load(provider);
    kept.set(provider, { atMs: nowMs, secrets });
    secrets.catch(() => {
      if (kept.get(provider)?.secrets === secrets) kept.delete(provider);
    });
    return secrets;
  };
}
