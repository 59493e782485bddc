import { sleep } from '@pulsewire/kernel';

export interface Notice {
  /** Below `/v2/push/lab_partner/`. */
  readonly path: string;
  readonly body: string;
  headers(): Readonly<Record<string, string>>;
  /** Called once, after a response of 204. */
  confirmed(): void;
}

export interface Webhooks {
  send(notice: Notice): void;
  /** How many are not confirmed, and the last response other than 204 by path. */
  state(): { readonly pending: number; readonly refusals: readonly (readonly [string, number])[] };
}

/** Sends webhooks late, some twice and in any order, and repeats each until it is confirmed. */
export function createWebhooks(urls: readonly string[], random: () => number): Webhooks {
  let left = 0;
  const refusals = new Map<string, number>();

  async function deliver({ path, body, headers }: Notice): Promise<void> {
    await sleep(random() * 2500);
    for (;;) {
      const url = `${urls[Math.floor(random() * urls.length)]}/v2/push/lab_partner/${path}`;
      try {
        const request = { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers() } };
        const response = await fetch(url, { ...request, signal: AbortSignal.timeout(5000) });
        await response.arrayBuffer();
        if (response.status === 204) return;
        refusals.set(path, response.status);
      } catch {
        // The API was killed.
      }
      await sleep(300 + random() * 700);
    }
  }

  return {
    send(notice) {
      left += 1;
      const copies = random() < 0.3 ? 2 : 1;
      void Promise.all(Array.from({ length: copies }, () => deliver(notice))).then(() => {
        left -= 1;
        notice.confirmed();
      });
    },
    state: () => ({ pending: left, refusals: [...refusals] }),
  };
}
