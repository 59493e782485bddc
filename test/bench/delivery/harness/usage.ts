import { readdirSync, readFileSync } from 'node:fs';
import { childPids } from '../../../support/child-pids.ts';

// Unit of the kernel's accounting: the same on every Linux that Node runs on.
const tickMs = 10;

/** Fields of /proc/<pid>/stat from the third on; the second is a name in parentheses that may contain any character. */
function statOf(pid: number): readonly string[] {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}

function read<T>(work: () => T, otherwise: T): T {
  try {
    return work();
  } catch {
    return otherwise;
  }
}

/** CPU time of a process so far, ms. */
export function cpuMs(pid: number): number {
  return read(() => {
    const stat = statOf(pid);
    return (Number(stat[11]) + Number(stat[12])) * tickMs;
  }, 0);
}

/** CPU time of a service so far, ms: of its process and of the worker processes that run. */
export function cpuWithWorkersMs(pid: number): number {
  return [pid, ...childPids(pid)].reduce((sum, one) => sum + cpuMs(one), 0);
}

/** CPU time of a Postgres so far, ms: the postmaster, its ended children and its live ones. */
export function postgresCpuMs(postmasterPid: number): number {
  const stat = read(() => statOf(postmasterPid), []);
  let ticks = [11, 12, 13, 14].reduce((sum, field) => sum + Number(stat[field] ?? 0), 0);
  for (const name of read(() => readdirSync('/proc'), [])) {
    const child = /^\d+$/.test(name) ? read(() => statOf(Number(name)), []) : [];
    if (Number(child[1]) === postmasterPid) ticks += Number(child[11]) + Number(child[12]);
  }
  return ticks * tickMs;
}

/** Resident memory of a process, MiB. */
export function memoryMb(pid: number): number {
  return read(() => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024, 0);
}

/** Samples a process's memory four times a second until it is stopped; returns the maximum in MiB. */
export function watchMemory(pid: () => number): { stop(): { readonly maxMb: number; readonly lastMb: number } } {
  let [maxMb, lastMb] = [0, 0];
  const look = () => {
    lastMb = memoryMb(pid());
    maxMb = Math.max(maxMb, lastMb);
  };
  const timer = setInterval(look, 250);
  return {
    stop() {
      clearInterval(timer);
      look();
      return { maxMb, lastMb };
    },
  };
}
