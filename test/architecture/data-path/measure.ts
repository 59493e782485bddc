import { watchFunctions, type ExecutedFunction } from './executed.ts';
import { startDataPath } from './stage.ts';

const runs = 5;
const timeoutMs = 30_000;

/**
 * The functions that run between a provider's notification and the request that a receiver gets for it. A function counts when
 * it has a name and ran for each of five notifications, so timers and polls that coincide with one do not count.
 */
export async function measureDataPath(): Promise<readonly ExecutedFunction[]> {
  const watch = watchFunctions();
  let arrived: (taken: ReadonlySet<ExecutedFunction>) => void = () => {};
  const path = await startDataPath(() => arrived(watch.take()));
  async function once(): Promise<ReadonlySet<ExecutedFunction>> {
    await path.settled();
    path.wear();
    const request = new Promise<ReadonlySet<ExecutedFunction>>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('No request came')), timeoutMs);
      arrived = (taken) => {
        clearTimeout(timer);
        resolve(taken);
      };
    });
    watch.take();
    const { status } = await path.notify();
    if (status !== 204) throw new Error(`The notification was answered with ${status}`);
    return request;
  }
  try {
    // The first notifications also prepare statements, open connections and fill caches.
    for (let warm = 0; warm < 2; warm++) await once();
    let common = await once();
    for (let run = 1; run < runs; run++) {
      const ran = await once();
      common = new Set([...common].filter((name) => ran.has(name)));
    }
    return [...common].toSorted();
  } finally {
    watch.stop();
    await path.close();
  }
}
