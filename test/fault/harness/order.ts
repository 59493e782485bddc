/** One arrival of a message at a receiver. */
export interface Arrival {
  readonly id: string;
  readonly userId: string;
  readonly sequence: number;
  /** Responded with 2xx. */
  readonly isTaken: boolean;
}

export interface OrderFaults {
  /** First arrivals after a later message of the same user. */
  readonly disorder: number;
  /** First arrivals while an earlier message of the same user was refused and not yet accepted. */
  readonly overtaken: number;
}

interface UserState {
  highest: number;
  /** Refused and not yet accepted: all later messages of this user have to wait for it. */
  readonly open: Set<string>;
}

/** Counts the messages out of order per user, in the order of arrival, excluding ignored messages. */
export function countOrderFaults(arrivals: Iterable<Arrival>, doesCount: (id: string) => boolean = () => true): OrderFaults {
  const users = new Map<string, UserState>();
  const seen = new Set<string>();
  let [disorder, overtaken] = [0, 0];
  for (const { id, userId, sequence, isTaken } of arrivals) {
    if (!doesCount(id)) continue;
    let user = users.get(userId);
    if (!user) users.set(userId, (user = { highest: -1, open: new Set() }));
    if (!seen.has(id)) {
      seen.add(id);
      if (sequence < user.highest) disorder += 1;
      if (user.open.size > 0) overtaken += 1;
      user.highest = Math.max(user.highest, sequence);
    }
    if (isTaken) user.open.delete(id);
    else user.open.add(id);
  }
  return { disorder, overtaken };
}
