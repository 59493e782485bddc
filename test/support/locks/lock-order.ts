import { readFileSync } from 'node:fs';
import path from 'node:path';
import { advisoryLocks } from '@pulsewire/database';
import { locksOf, simplify, type StatementLock } from './statement-locks.ts';
import type { ConnectionWatcher } from './watch-connections.ts';

/** The order in `packages/database/LOCKS.md`. */
export interface LockOrder {
  /** Lock -> its place; of advisory locks `advisory <name>`. */
  readonly places: ReadonlyMap<string, number>;
  readonly exceptions: readonly LockException[];
}

/** Two locks that may be taken against the order, when one of their statements contains a text. */
interface LockException {
  readonly held: string;
  readonly taken: string;
  readonly text: string;
}

/** Reads the table of locks and the table of exceptions. */
export function readLockOrder(
  page = readFileSync(path.join(import.meta.dirname, '../../../packages/database/LOCKS.md'), 'utf8'),
): LockOrder {
  const name = (cell: string) => cell.trim().replaceAll('`', '');
  const rows = page
    .split('\n')
    .filter((line) => /^\| (?:advisory )?`/.test(line))
    .map((line) => line.split('|').slice(1, -1).map(name));
  const locks = rows.filter((cells) => cells.length === 2).map(([lock = '']) => lock);
  const exceptions = rows
    .filter((cells) => cells.length === 4)
    .flatMap(([held = '', taken = '', text = '']) => taken.split(', ').map((one) => ({ held, taken: one, text })));
  return { places: new Map(locks.map((lock, place) => [lock, place])), exceptions };
}

/** Two locks of a transaction that were taken against the order. */
export interface Violation {
  readonly held: string;
  readonly taken: string;
  /** The statements that took them. */
  readonly statements: readonly [string, string];
}

/** Rows of these are shared by users: an erasure follows the order among them. */
const isShared = (lock: string) => lock.startsWith('webhook_') || lock.startsWith('log_');
const erasures = [
  /^SELECT\b.* FROM "?(?:users|teams)"? WHERE .*\bdeleted_at"? <= \$\d.* FOR UPDATE$/i,
  /^DELETE FROM "?\w+"? WHERE (?:"?\w+"?\.)?"?(?:user|team)_id"? = \$1$/i,
  /^UPDATE "?(\w+)"? SET .*"user_id" = \$\d.* WHERE "?\1"?\."user_id" = \$\d+$/i,
];
const advisoryNames = new Map(Object.entries(advisoryLocks).map(([kind, number]) => [String(number), `advisory ${kind}`]));
/** What the text of a statement says, read once. */
interface ReadStatement {
  readonly locks: readonly StatementLock[];
  /** It belongs to the erasure of a user or a team: all rows of one table, or the user itself after the time to undo the deletion. */
  readonly isErasure: boolean;
}

const cache = new Map<string, ReadStatement>();
const cachedMax = 5000;

function readStatement(text: string): ReadStatement {
  let read = cache.get(text);
  if (read === undefined) {
    if (cache.size >= cachedMax) cache.clear();
    const line = simplify(text);
    cache.set(text, (read = { locks: locksOf(line), isErasure: erasures.some((erasure) => erasure.test(line)) }));
  }
  return read;
}

/** Follows the transactions of one connection and reports each lock that a transaction waits for while it holds a later one. */
export function watchLocks({ places, exceptions }: LockOrder, report: (violation: Violation) => void): ConnectionWatcher {
  /** Lock -> statement that took it first. */
  let held = new Map<string, string>();
  let isOpen = false;
  let isErasure = false;
  const savepoints = new Map<string, Map<string, string>>();

  /** Whether the statement only steers the transaction. */
  const steers = (text: string): boolean => {
    const [, word = '', name] = /^\s*(begin|commit|savepoint|rollback)\b(?: to(?: savepoint)?)?\s*("?\w+"?)?/i.exec(text) ?? [];
    const command = word.toLowerCase();
    if (command === 'savepoint' && name) savepoints.set(name, new Map(held));
    // What was locked since then is free again.
    else if (command === 'rollback' && name && savepoints.has(name)) held = new Map(savepoints.get(name));
    else if (command !== '') {
      [held, isOpen, isErasure] = [new Map(), command === 'begin', false];
      savepoints.clear();
    }
    return command !== '';
  };

  return {
    onStatement(text, parameter) {
      if (steers(text)) return;
      if (!isOpen) held = new Map();
      const { locks, isErasure: erases } = readStatement(text);
      if (isOpen && erases && !isErasure) {
        isErasure = true;
        held = new Map([...held].filter(([lock]) => isShared(lock)));
      }
      for (const { table, waits, parameter: place } of locks) {
        const taken = place === null ? table : (advisoryNames.get(parameter(place) ?? '') ?? table);
        const at = places.get(taken);
        if (at === undefined || held.has(taken) || (isErasure && !isShared(taken))) continue;
        const later = waits ? [...held].filter(([lock]) => (places.get(lock) as number) > at) : [];
        for (const [lock, statement] of later) {
          const statements = [simplify(statement), simplify(text)] as const;
          const allowed = exceptions.filter((exception) => exception.held === lock && exception.taken === taken);
          if (!allowed.some((exception) => statements.some((one) => one.includes(exception.text))))
            report({ held: lock, taken, statements });
        }
        held.set(taken, text);
      }
    },
  };
}
