import { Agent } from 'undici';

/** The limit: a bare undici loop that posts the same bodies to the same sink, unsigned and unrecorded; returns milliseconds. */
export async function bareLoop(options: {
  readonly url: string;
  readonly body: string;
  readonly count: number;
  readonly inFlight: number;
}): Promise<number> {
  const agent = new Agent({ connections: options.inFlight, pipelining: 1 });
  const { origin, pathname } = new URL(options.url);
  let left = options.count;
  const send = async () => {
    while (left > 0) {
      left -= 1;
      const response = await agent.request({
        origin,
        path: pathname,
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: options.body,
      });
      await response.body.dump();
    }
  };
  const start = performance.now();
  await Promise.all(Array.from({ length: options.inFlight }, send));
  const elapsedMs = performance.now() - start;
  await agent.close();
  return elapsedMs;
}
