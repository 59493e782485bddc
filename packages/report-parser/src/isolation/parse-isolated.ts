import { fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defaultLimits, type ParseLimits } from '../extract/limits.ts';
import { deadlineOf } from './deadline.ts';
import type { ParseOutcome, ParseRequest, ScansFound } from './messages.ts';
import { watchMemory } from './watch-memory.ts';

export interface IsolationOptions {
  readonly limits?: ParseLimits;
  /** Without the time for scans. Default 60 s. */
  readonly deadlineMs?: number;
  /** Additional time for each page that is a scan. Default 20 s. */
  readonly scanDeadlineMs?: number;
  /** Resident memory of the child process; default 1 GiB. Enforced on Linux; elsewhere only the JavaScript heap is limited. */
  readonly memoryBytesMax?: number;
  /** Ends the child process early. */
  readonly signal?: AbortSignal;
}

const beside = fileURLToPath(new URL('child.ts', import.meta.url));
// A release has no sources: this module believes to be at its path in the repository, below the folder with the programs.
const program = existsSync(beside) ? beside : fileURLToPath(new URL('../../../../report-parser-child.js', import.meta.url));
// The child may only read its own modules and start the OCR thread: no writing, no other process, no native code.
const restrictions = [
  '--permission',
  '--allow-fs-read=*',
  '--allow-worker',
  '--max-old-space-size=384',
  '--disable-warning=SecurityWarning',
];

/**
 * Parses the files of one report in a separate process without environment variables, so that a hostile file cannot exhaust or crash
 * anything else. Never rejects for a bad file: the outcome states the problem. Rejects with the reason of `signal` when it aborts.
 */
export function parseIsolated(files: readonly Uint8Array[], options: IsolationOptions = {}): Promise<ParseOutcome> {
  const { limits = defaultLimits, deadlineMs = 60_000, scanDeadlineMs = 20_000, memoryBytesMax = 1024 ** 3, signal } = options;
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const child = fork(program, [], {
      execArgv: restrictions,
      env: {},
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    let outcome: ParseOutcome = { kind: 'failed', reason: 'processing_error', detail: 'The parser ended unexpectedly' };
    const end = (detail: string) => {
      outcome = { kind: 'failed', reason: 'processing_error', detail };
      child.kill('SIGKILL');
    };
    const startedMs = performance.now();
    const endAfter = (ms: number) =>
      setTimeout(() => end(`Parsing the report took longer than ${ms} ms`), Math.max(0, ms - (performance.now() - startedMs)));
    let deadline = endAfter(deadlineMs);
    const unwatch =
      child.pid === undefined ? () => {} : watchMemory(child.pid, memoryBytesMax, () => end('Parsing the report needs too much memory'));
    const abort = () => child.kill('SIGKILL');
    signal?.addEventListener('abort', abort, { once: true });
    child.on('message', (received) => {
      const message = received as ParseOutcome | ScansFound;
      clearTimeout(deadline);
      if (message.kind !== 'scans') {
        outcome = message;
        unwatch();
        // Another page may still be in progress.
        child.kill('SIGKILL');
        return;
      }
      deadline = endAfter(deadlineOf({ deadlineMs, scanDeadlineMs, pagesMax: limits.pagesMax }, message.count));
    });
    child.once(
      'error',
      (error) => (outcome = { kind: 'failed', reason: 'processing_error', detail: `The parser could not be started (${error.name})` }),
    );
    child.once('close', () => {
      clearTimeout(deadline);
      unwatch();
      signal?.removeEventListener('abort', abort);
      if (signal?.aborted) reject(signal.reason as Error);
      else resolve(outcome);
    });
    const request: ParseRequest = { files, limits };
    // The channel closes when the child dies before it has read the request; `close` reports that.
    child.send(request, () => {});
  });
}
