import { readFileSync } from 'node:fs';

// Unit of the kernel's accounting: the same on every Linux that Node runs on.
const tickMs = 10;

/** CPU time that all processes of this machine have used so far, ms; without waiting for disks. Linux only. */
export function usedMs(): number {
  const [, ...fields] = readFileSync('/proc/stat', 'utf8').split('\n', 1)[0]?.split(/\s+/) ?? [];
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = fields.map(Number);
  return (user + nice + system + irq + softirq + steal) * tickMs;
}
