import { sleep } from '@pulsewire/kernel';

/** Resolves when the address responds with 200, or when the signal aborts. */
export async function respondsOk(url: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const response = await fetch(url, { signal: AbortSignal.timeout(2000) }).catch(() => null);
    await response?.body?.cancel();
    if (response?.ok) return;
    await sleep(50, signal);
  }
}
