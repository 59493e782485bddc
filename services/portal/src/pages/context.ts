import type { Caller } from '../api/caller.ts';
import type { Frame, Viewer } from './view.ts';

/** What a page is made from: the API in the name of the session, and the address. */
export interface PageContext {
  readonly api: Caller;
  readonly frame: Frame;
  readonly viewer: Viewer;
  /** Of the path; empty text for an absent one. */
  param(name: string): string;
  /** Of the query; undefined when absent or empty. */
  query(name: string): string | undefined;
  /** Whether this session shows the health values of the user. */
  isRevealed(userId: string): boolean;
}
