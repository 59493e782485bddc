import { readFileSync, statfsSync } from 'node:fs';

const folder = '/dev/shm';
const roomMin = 6 * 2 ** 30;
const memoryMin = 10 * 2 ** 30;

/**
 * A folder in memory, where this machine has one with enough room for the servers of a whole run; undefined elsewhere. Postgres creates
 * hundreds of files for each test database, which on a disk costs a fifth of the CPU time of all tests.
 */
export function memoryFolder(): string | undefined {
  if (process.platform !== 'linux' || process.availableMemory() < memoryMin) return undefined;
  try {
    const { bavail, bsize } = statfsSync(folder);
    const mount = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .find((line) => line.split(' ')[1] === folder);
    // Tests run programs from temporary folders.
    const isExecutable = mount !== undefined && !mount.split(' ')[3]?.split(',').includes('noexec');
    return isExecutable && bavail * bsize >= roomMin ? folder : undefined;
  } catch {
    return undefined;
  }
}
