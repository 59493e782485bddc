import { readFile } from 'node:fs/promises';

const pageBytes = 4096;

/** Resident memory of a process in bytes; undefined when it has ended or the system has no /proc. */
async function residentBytes(pid: number): Promise<number | undefined> {
  const statm = await readFile(`/proc/${pid}/statm`, 'utf8').catch(() => undefined);
  const pages = Number(statm?.split(' ')[1]);
  return Number.isFinite(pages) ? pages * pageBytes : undefined;
}

/** Calls `onExceeded` once when the process uses more memory than `bytesMax`. Returns a function that stops watching. */
export function watchMemory(pid: number, bytesMax: number, onExceeded: () => void): () => void {
  const timer = setInterval(() => {
    void residentBytes(pid).then((bytes) => {
      if (bytes === undefined || bytes <= bytesMax) return;
      clearInterval(timer);
      onExceeded();
    });
  }, 100);
  timer.unref();
  return () => clearInterval(timer);
}
