import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

/** The receiver of a benchmark: our own sink process, or an external address (then only that receiver can count). */
export class BenchSink {
  readonly url: string;
  readonly pid: number | undefined;
  readonly #process: ChildProcess;

  private constructor(process: ChildProcess, url: string) {
    this.#process = process;
    this.url = url;
    this.pid = process.pid;
  }

  static async start(): Promise<BenchSink> {
    const child = fork(path.join(import.meta.dirname, 'sink-process.ts'), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    const [message] = (await once(child, 'message')) as [{ url: string }];
    return new BenchSink(child, message.url);
  }

  async count(): Promise<number> {
    return (await this.#ask<{ count: number }>('count')).count;
  }

  /** Arrival of each webhook id, epoch milliseconds with fractions. */
  async arrivals(): Promise<ReadonlyMap<string, number>> {
    return new Map((await this.#ask<{ arrivals: [string, number][] }>('arrivals')).arrivals);
  }

  async reset(): Promise<void> {
    await this.#ask('reset');
  }

  async close(): Promise<void> {
    const exited = once(this.#process, 'exit');
    this.#process.disconnect();
    this.#process.kill('SIGTERM');
    await exited;
  }

  async #ask<T>(question: string): Promise<T> {
    const responded = once(this.#process, 'message');
    this.#process.send(question);
    const [response] = (await responded) as [T];
    return response;
  }
}
