import type { Environment } from '../config/misnamed.ts';

/** What a parent tells a new worker process. */
export interface WorkerStart {
  /** Counted from 1; a worker that replaces another one has its number. */
  readonly number: number;
  readonly count: number;
  /** Variables whose values the parent determines; the others are those of its own environment. */
  readonly settings: Environment;
  /** What the program of this worker needs beside its settings; JSON. */
  readonly data: unknown;
  /** Port of the parent's server for health and metrics. */
  readonly healthPort: number;
  readonly beatEveryMs: number;
}

export type Question = 'ready' | 'metrics';

export type ToWorker =
  | { readonly kind: 'start'; readonly start: WorkerStart }
  | { readonly kind: 'stop' }
  | { readonly kind: 'ask'; readonly id: number; readonly question: Question };

export type FromWorker =
  | { readonly kind: 'beat' }
  | { readonly kind: 'started' }
  | { readonly kind: 'start_failed'; readonly code: string; readonly message: string }
  | { readonly kind: 'answer'; readonly id: number; readonly text: string };
