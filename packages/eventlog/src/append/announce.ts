import type { Database } from '@pulsewire/database';

export const logChannel = 'pulsewire_log';

// A notification inside the writing transaction would serialise all commits of the cluster on one lock. So it is sent after the commit, on
// its own, and at most this often; a writer that is killed in between is covered by the readers' poll.
const spacingMs = 2;

interface Announcing {
  isBusy: boolean;
  isRequested: boolean;
}

// One per pool, garbage-collected with it.
const states = new WeakMap<Database, Announcing>();

/** Notifies waiting readers that the log has grown. Never throws, never waits. */
export function announce(database: Database): void {
  let state = states.get(database);
  if (!state) states.set(database, (state = { isBusy: false, isRequested: false }));
  if (state.isBusy) {
    state.isRequested = true;
    return;
  }
  void send(database, state);
}

async function send(database: Database, state: Announcing): Promise<void> {
  state.isBusy = true;
  do {
    state.isRequested = false;
    await database.sql`SELECT pg_notify(${logChannel}, '')`.catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, spacingMs).unref());
  } while (state.isRequested);
  state.isBusy = false;
}
