import { AppError } from '@pulsewire/kernel';

/** Lets only so many reads of a team run at the same moment that other teams find a connection to the database. */
export interface ReadSlots {
  run<T>(teamId: string, read: () => Promise<T>): Promise<T>;
}

/** Reads of one team that wait; more are refused. */
export const waitingMax = 200;
const retryAfterMs = 1000;

function tooManyReads(): AppError {
  const message = 'Too many concurrent reads by this team';
  return new AppError({ code: 'reads_crowded', kind: 'rate_limited', message, retryable: true, retryAfterMs });
}

/**
 * Slots for reads, fewer than there are connections, so that keys can always be looked up. A team takes no more slots than it leaves free:
 * half of them when it is alone, less beside others, and one whenever there is one. What finds none waits; waiting teams have turns.
 */
export function createReadSlots(connectionsMax: number): ReadSlots {
  const slots = Math.max(1, connectionsMax - 1);
  const running = new Map<string, number>();
  const waiting = new Map<string, (() => void)[]>();
  let taken = 0;

  function mayStart(teamId: string): boolean {
    const free = slots - taken;
    const ofTeam = running.get(teamId) ?? 0;
    return free > 0 && (ofTeam === 0 || ofTeam < free);
  }

  function take(teamId: string): void {
    taken += 1;
    running.set(teamId, (running.get(teamId) ?? 0) + 1);
  }

  function release(teamId: string): void {
    taken -= 1;
    const left = (running.get(teamId) ?? 1) - 1;
    if (left === 0) running.delete(teamId);
    else running.set(teamId, left);
    if (waiting.size > 0) startWaiting();
  }

  // Each team has its turn: who was served goes behind all others.
  function startWaiting(): void {
    for (const [teamId, queue] of waiting) {
      if (taken >= slots) return;
      if (!mayStart(teamId)) continue;
      const start = queue.shift();
      waiting.delete(teamId);
      if (queue.length > 0) waiting.set(teamId, queue);
      take(teamId);
      start?.();
    }
  }

  async function enter(teamId: string): Promise<void> {
    const queue = waiting.get(teamId);
    if (queue === undefined && mayStart(teamId)) return take(teamId);
    if (queue !== undefined && queue.length >= waitingMax) throw tooManyReads();
    await new Promise<void>((resolve) => {
      if (queue === undefined) waiting.set(teamId, [resolve]);
      else queue.push(resolve);
    });
  }

  return {
    async run(teamId, read) {
      await enter(teamId);
      try {
        return await read();
      } finally {
        release(teamId);
      }
    },
  };
}
