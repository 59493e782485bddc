import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

interface ReceivedResponse {
  readonly id: number;
  readonly value?: unknown;
  readonly error?: string;
}

/**
 * A helper of a benchmark in a separate process, so that it does not share an event loop with the measured code. Methods are called by
 * name.
 */
export class Remote {
  readonly #process: ChildProcess;
  readonly #waiting = new Map<number, { resolve(value: never): void; reject(error: Error): void }>();
  #lastId = 0;

  constructor(file: string, args: readonly string[] = [], nodeArgs: readonly string[] = []) {
    // Typed arrays are transferred unconverted: millions of arrival times would take minutes as JSON.
    this.#process = fork(file, [...args], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      serialization: 'advanced',
      execArgv: [...process.execArgv, ...nodeArgs],
    });
    this.#process.on('message', ({ id, value, error }: ReceivedResponse) => {
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (error === undefined) waiting?.resolve(value as never);
      else waiting?.reject(new Error(error));
    });
    this.#process.once('exit', (code, signal) => {
      for (const waiting of this.#waiting.values()) waiting.reject(new Error(`${file} ended with ${code ?? signal}`));
      this.#waiting.clear();
    });
  }

  get pid(): number {
    return this.#process.pid ?? 0;
  }

  ask<T>(name: string, argument?: unknown): Promise<T> {
    const id = (this.#lastId += 1);
    return new Promise<T>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#process.send({ id, name, argument });
    });
  }

  async close(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const exited = once(this.#process, 'exit');
    this.#process.kill('SIGKILL');
    await exited;
  }
}

/** The other end: responds to calls of `Remote.ask`. */
export function serve(handlers: Readonly<Record<string, (argument: never) => unknown>>): void {
  process.on('message', (message: { id: number; name: string; argument: never }) => {
    void Promise.resolve()
      .then(() => handlers[message.name]?.(message.argument))
      .then(
        (value) => process.send?.({ id: message.id, value }),
        (error: unknown) =>
          process.send?.({ id: message.id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
      );
  });
  process.once('disconnect', () => process.exit());
}
