interface Heard {
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
 * observer's own monotonic clock. A clock of the database or of another machine that is set anew makes nobody look dead, or alive.
 */
export class MemberWatch {
  readonly #silentMs: number;
  #heard: ReadonlyMap<string, Heard> = new Map();
  #notedMs = Number.NEGATIVE_INFINITY;

  constructor(silentMs: number) {
    this.#silentMs = silentMs;
  }

  /** `marks` as just read, by member; `nowMs` is taken after the read. Gives the members that are silent. */
  note(nowMs: number, marks: ReadonlyMap<string, string>): readonly SilentMember[] {
    // Who could not read for so long, frozen or without a database, has observed nothing: perhaps nobody could write either.
    const known = nowMs - this.#notedMs > this.#silentMs ? new Map<string, Heard>() : this.#heard;
    this.#notedMs = nowMs;
    this.#heard = new Map(
      [...marks].map(([member, mark]) => {
        const before = known.get(member);
        return [member, before?.mark === mark ? before : { mark, sinceMs: nowMs }];
      }),
    );
    return [...this.#heard].filter(([, { sinceMs }]) => nowMs - sinceMs >= this.#silentMs).map(([member, { mark }]) => ({ member, mark }));
  }
}
