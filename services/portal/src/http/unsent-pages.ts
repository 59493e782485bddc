import { untilSent } from '@pulsewire/runtime';
import type { ServerResponse } from 'node:http';

/** Pages of a team that its browsers have not read yet, in characters. Whoever requests and never reads would otherwise fill the memory. */
export interface UnsentPages {
  /** False while the team is above its limit. */
  admits(teamId: string): boolean;
  /** Counts a page until it is sent or its connection is gone. */
  hold(teamId: string, response: ServerResponse, length: number): void;
}

const unsentMax = 8 * 1024 * 1024;

/** Counted per process, because the limit protects its memory. */
export function createUnsentPages(lengthMax = unsentMax): UnsentPages {
  const teams = new Map<string, number>();
  const add = (teamId: string, length: number) => {
    const now = (teams.get(teamId) ?? 0) + length;
    if (now > 0) teams.set(teamId, now);
    else teams.delete(teamId);
  };
  return {
    admits: (teamId) => (teams.get(teamId) ?? 0) < lengthMax,
    hold(teamId, response, length) {
      add(teamId, length);
      untilSent(response, () => add(teamId, -length));
    },
  };
}
