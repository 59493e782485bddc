/** The category of an error. Each boundary (HTTP, queue, command) maps a kind to one reaction. */
export type ErrorKind =
  | 'invalid'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'rate_limited'
  | 'upstream'
  | 'unavailable'
  | 'bug';

/** Entries by code: the kind, and one or two sentences that say what happened and what to do about it. */
export type ErrorCodeTable = Readonly<Record<string, readonly [kind: ErrorKind, text: string]>>;
