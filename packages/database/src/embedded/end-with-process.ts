import { isAlive, requestStop } from './running.ts';

const pids = new Set<number>();
let isListening = false;

function endAll(): void {
  for (const pid of pids) {
    if (!isAlive(pid)) continue;
    requestStop(pid);
    process.stderr.write(`The embedded Postgres (process ${pid}) was told to stop. Copy its folder only once that process has ended.\n`);
  }
}

/**
 * Makes a server end when this process does: it has a session of its own, so it would outlive a process that ends without stopping it, by
 * force or after a failed start. Returns the function that revokes this.
 */
export function endWithProcess(pid: number): () => void {
  if (!isListening) process.on('exit', endAll);
  isListening = true;
  pids.add(pid);
  return () => void pids.delete(pid);
}
