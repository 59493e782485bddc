import { watchCarriers } from './carriers.ts';
import { watchFunctions, type ExecutedFunction } from './executed.ts';
import { carriesSample } from './sample-forms.ts';

const runs = 5;
const timeoutMs = 30_000;

export interface DataPath {
  /** All named functions that ran. */
  readonly reached: readonly ExecutedFunction[];
  /** Those that the sample passes through: it is among their arguments, variables or results. */
  readonly passed: ReadonlySet<ExecutedFunction>;
}

function common([first, ...others]: readonly ReadonlySet<ExecutedFunction>[]): readonly ExecutedFunction[] {
  return [...(first ?? [])].filter((name) => others.every((run) => run.has(name)));
}

/**
 * The functions that run between a provider's notification and the request that a receiver gets for it. A function counts when
 * it has a name and ran for each of five notifications, so timers and polls that coincide with one do not count. Call it before the code to
 * be measured is imported.
 */
export async function measureDataPath(): Promise<DataPath> {
  const carriers = watchCarriers(carriesSample);
  const { startDataPath } = await import('./harness.ts');
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
    const reached: ReadonlySet<ExecutedFunction>[] = [];
    const passed: ReadonlySet<ExecutedFunction>[] = [];
    for (let run = 0; run < runs; run++) {
      carriers.take();
      reached.push(await once());
      passed.push(carriers.take());
    }
    return { reached: common(reached).toSorted(), passed: new Set(common(passed)) };
  } finally {
    watch.stop();
    await path.close();
  }
}
