import type { Clock } from '@pulsewire/kernel';
import type { PushSecrets } from './push-secrets.ts';

/** Opening a thousand sealed secrets takes tens of milliseconds: too much for every call that anybody may make. */
const keptMs = 30_000;

/** What pushes are checked against; `ageMaxMs` asks for what is no older, since a secret may have been set a moment ago. */
export type SecretsFor = (provider: string, ageMaxMs?: number) => Promise<PushSecrets>;

/** Keeps what `load` gives for half a minute. Calls during a load share it. Failures are not kept. */
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
