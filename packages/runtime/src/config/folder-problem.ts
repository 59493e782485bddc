import { lstatSync, statfsSync, statSync, type Stats } from 'node:fs';
import path from 'node:path';
import { errorCode } from '@pulsewire/kernel';

/** /proc and /sys on Linux, in which nobody can create a folder. */
const kernelFileSystems = new Set([0x9fa0, 0x62656572]);

const tooLong = 'has a path that is too long';

/**
 * Why a path is no folder and cannot become one, as far as it can be seen without trying; null when it is or can. Completes
 * "The folder …". Permissions are not checked: another user may start the process than the one that checks its settings.
 */
export function folderProblem(folder: string): string | null {
  const wanted = path.resolve(folder);
  for (let place = wanted; ; place = path.dirname(place)) {
    const found = look(place);
    if (typeof found === 'string') return found;
    if (found === null && place === path.dirname(place)) return null;
    if (found === null) continue;
    if (!found.isDirectory()) return place === wanted ? 'is a file' : `would be in ${place}, which is a file`;
    return place !== wanted && isOfKernel(place) ? `would be in ${place}, in which no folder can be created` : null;
  }
}

/** What is at a path; null for nothing, or when it may not be seen. A text says why nothing can ever be there. */
function look(place: string): Stats | string | null {
  try {
    return statSync(place);
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENAMETOOLONG') return tooLong;
    if (code === 'ELOOP') return 'is a link that leads to itself';
    return code === 'ENOENT' && lstatSync(place, { throwIfNoEntry: false }) ? 'is a link to nothing' : null;
  }
}

function isOfKernel(place: string): boolean {
  try {
    return kernelFileSystems.has(statfsSync(place).type);
  } catch {
    return false;
  }
}
