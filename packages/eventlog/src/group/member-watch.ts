interface SeenMember {
  readonly mark: string;
  readonly sinceMs: number;
}

/** A member with the mark of the last heartbeat that was seen of it. */
export interface SilentMember {
  readonly member: string;
  readonly mark: string;
}

/**
 * Finds members that are dead without comparing clocks: one is silent when the mark of its heartbeat has not changed for `silentMs` on the
 * observer's own monotonic clock. Adjusting the clock of the database or of another machine makes no member look dead or alive.
 */
export class MemberWatch {
  readonly #silentMs: number;
  #seen: ReadonlyMap<string, SeenMember> = new Map();
  #notedMs = Number.NEGATIVE_INFINITY;

  constructor(silentMs: number) {
    this.#silentMs = silentMs;
  }

  /** `marks` as just read, by member; `nowMs` is taken after the read. Returns the silent members. */
  note(nowMs: number, marks: ReadonlyMap<string, string>): readonly SilentMember[] {
    // An observer that could not read for that long (frozen, or without a database) has observed nothing: perhaps the members could not
    // write either.
    const known = nowMs - this.#notedMs > this.#silentMs ? new Map<string, SeenMember>() : this.#seen;
    this.#notedMs = nowMs;
    this.#seen = new Map(
      [...marks].map(([member, mark]) => {
        const before = known.get(member);
        return [member, before?.mark === mark ? before : { mark, sinceMs: nowMs }];
      }),
    );
    return [...this.#seen].filter(([, { sinceMs }]) => nowMs - sinceMs >= this.#silentMs).map(([member, { mark }]) => ({ member, mark }));
  }
}
