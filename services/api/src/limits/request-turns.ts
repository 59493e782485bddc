import { AsyncLocalStorage } from 'node:async_hooks';

/** Runs work when it is the caller's turn to use the database. */
export type Turn = <T>(work: () => Promise<T>) => Promise<T>;

const current = new AsyncLocalStorage<Turn | null>();

/** Runs a request whose transactions each wait for their turn: between them it waits for others, or for its own body. */
export const withTurn = <T>(turn: Turn, work: () => Promise<T>): Promise<T> => current.run(turn, work);

/** Runs work that takes one turn as a whole: its transactions need none of their own. */
export const inTurn = <T>(turn: Turn, work: () => Promise<T>): Promise<T> => turn(() => current.run(null, work));

/** Runs a transaction in the turn of its request; without one, such as in background work, at once. */
export const takeTurn: Turn = (work) => {
  const turn = current.getStore();
  return turn ? inTurn(turn, work) : work();
};
