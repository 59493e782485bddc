import { Session, type Profiler } from 'node:inspector';
import { fileURLToPath } from 'node:url';
import { root } from '../sources/workspace.ts';

/** A named function of our code that ran: `packages/store/src/write-records.ts writeRecords`. */
export type ExecutedFunction = string;

/** Records which functions run between two calls. */
export interface FunctionWatch {
  /** The named functions of packages and services that ran since the last call. */
  take(): ReadonlySet<ExecutedFunction>;
  stop(): void;
}

// Excludes the stand-ins for providers and receivers, and the logging and metrics that any code may call.
const ours = /^(?:packages|services)\/(?!sandbox\/|runtime\/)[\w-]+\/src\/(?!testing\/)/;

/** The path of one of our files in the repository; null for others. */
export function ownFile(url: string): string | null {
  if (!url.startsWith('file://')) return null;
  const file = fileURLToPath(url);
  if (!file.startsWith(`${root}/`) || file.includes('/node_modules/')) return null;
  const path = file.slice(root.length + 1);
  return ours.test(path) ? path : null;
}

/** V8 counts the calls of every function from here on. The session responds synchronously, since it is on this thread. */
export function watchFunctions(): FunctionWatch {
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  return {
    take() {
      const found = new Set<ExecutedFunction>();
      session.post('Profiler.takePreciseCoverage', (error, taken: Profiler.TakePreciseCoverageReturnType) => {
        if (error) throw error;
        for (const { url, functions } of taken.result) {
          const file = ownFile(url);
          if (file === null) continue;
          for (const { functionName, ranges } of functions) {
            if (functionName !== '' && (ranges[0]?.count ?? 0) > 0) found.add(`${file} ${functionName}`);
          }
        }
      });
      return found;
    },
    stop: () => session.disconnect(),
  };
}
