import { AppError } from '@pulsewire/kernel';

/** How much of the answers to a team its clients have not taken yet. */
export interface UnsentAnswers {
  /** Throws AppError `answers_unread` (429) while the team has too much of it. */
  admit(teamId: string): void;
  /** Counts an answer until the function that it gives is called, once. */
  hold(teamId: string, bytes: number): () => void;
}

/** A client that asks and does not read would fill the memory, at as many answers a second as its key may ask for. */
export const unsentBytesMax = 64 * 1024 * 1024;
const retryAfterMs = 1000;

/** Each process counts by itself: it is its memory. */
export function createUnsentAnswers(bytesMax = unsentBytesMax): UnsentAnswers {
  const teams = new Map<string, number>();
  return {
    admit(teamId) {
      if ((teams.get(teamId) ?? 0) < bytesMax) return;
      const message = 'Responses to earlier requests of this team have not been read';
      throw new AppError({ code: 'answers_unread', kind: 'rate_limited', message, retryable: true, retryAfterMs });
    },
    hold(teamId, bytes) {
      teams.set(teamId, (teams.get(teamId) ?? 0) + bytes);
      return () => {
        const left = (teams.get(teamId) ?? 0) - bytes;
        if (left > 0) teams.set(teamId, left);
        else teams.delete(teamId);
      };
    },
  };
}
