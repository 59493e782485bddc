import { AppError } from '@pulsewire/kernel';

/** Bytes of responses per team that its clients have not read yet. */
export interface UnsentResponses {
  /** Throws AppError `responses_unread` (429) while the team is above its limit. */
  admit(teamId: string): void;
  /** Counts a response until the returned function is called. */
  hold(teamId: string, bytes: number): () => void;
}

/** A client that sends requests and never reads the responses would otherwise fill the memory. */
export const unsentBytesMax = 64 * 1024 * 1024;
const retryAfterMs = 1000;

/** Counted per process, because the limit protects its memory. */
export function createUnsentResponses(bytesMax = unsentBytesMax): UnsentResponses {
  const teams = new Map<string, number>();
  return {
    admit(teamId) {
      if ((teams.get(teamId) ?? 0) < bytesMax) return;
      const message = 'Responses to earlier requests of this team have not been read';
      throw new AppError({ code: 'responses_unread', kind: 'rate_limited', message, retryable: true, retryAfterMs });
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
