import { AppError } from '@pulsewire/kernel';

/** Limits the concurrent requests of a team, or of a caller without a key, that use the database, so that others find a connection. */
export interface TeamSlots {
  run<T>(teamId: string, work: () => Promise<T>): Promise<T>;
}

/** Most waiting requests of one team; further ones are refused. */
export const waitingMax = 200;
const retryAfterMs = 1000;

function teamCrowded(): AppError {
  const message = 'Too many concurrent requests by this team; retry later';
  return new AppError({ code: 'requests_crowded', kind: 'rate_limited', message, retryable: true, retryAfterMs });
}

/** Unavailable, because phones discard their data when a client error is returned. */
export function callersCrowded(): AppError {
  const message = 'Too many concurrent requests by this caller; retry later';
  return new AppError({ code: 'requests_crowded', kind: 'unavailable', message, retryable: true, retryAfterMs });
}

/**
 * Slots for requests, fewer than the connections, so that keys can always be looked up. A team takes no more slots than it leaves free:
 * half of them without other teams, fewer otherwise, and its first one whenever one is free. Other requests wait; waiting teams are served in
 * rotation. A semaphore of a library knows no teams: it serves in the order of arrival, or by a fixed priority.
 */
export function createTeamSlots(connectionsMax: number, crowded: () => AppError = teamCrowded): TeamSlots {
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

  // Round-robin: a team that was served goes behind all others.
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
    if (queue !== undefined && queue.length >= waitingMax) throw crowded();
    await new Promise<void>((resolve) => {
      if (queue === undefined) waiting.set(teamId, [resolve]);
      else queue.push(resolve);
    });
  }

  return {
    async run(teamId, work) {
      await enter(teamId);
      try {
        return await work();
      } finally {
        release(teamId);
      }
    },
  };
}
