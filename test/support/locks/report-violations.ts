import { readLockOrder, watchLocks, type Violation } from './lock-order.ts';
import { watchConnections } from './watch-connections.ts';

// Of the process, like the sockets: test files of a worker may load this module anew.
const shared = globalThis as { pulsewireLockViolations?: Map<string, Violation> };
const found = (shared.pulsewireLockViolations ??= new Map());

/** Watches the locks that this process takes in any database from now on. */
export function watchLockOrder(): void {
  const order = readLockOrder();
  watchConnections(() => watchLocks(order, (violation) => found.set(`${violation.held} ${violation.taken}`, violation)));
}

/** The violations since the last call, one of each kind. */
export function takeViolations(): readonly Violation[] {
  const violations = [...found.values()];
  found.clear();
  return violations;
}
