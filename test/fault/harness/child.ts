import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { processEnv } from '../../support/process-env.ts';

/** An unexpected exit, with the last output of the process. */
export interface Death {
  readonly name: string;
  /** Exit code, or the signal. */
  readonly end: string;
  /** How long the process had run, in milliseconds. */
  readonly agedMs: number;
  readonly lastWords: string;
}

const tailMax = 4000;

/** A process of the system under test that can be killed and restarted. */
export class Child {
  readonly name: string;
  readonly #file: string;
  readonly #args: (life: number) => readonly string[];
  #env: Readonly<Record<string, string>>;
  #process: ChildProcess | undefined;
  readonly #asked = new WeakSet<ChildProcess>();
  #errors = '';
  readonly #events = new Map<string, number>();
  #lives = 0;
  kills = 0;
  /** Unexpected exits: a process must not die because another one did. */
  readonly ends: Death[] = [];
  #isWanted = false;

  constructor(options: {
    readonly name: string;
    readonly file: string;
    /** A function receives the number of the start, counted from 1, for arguments that differ between starts. */
    readonly args?: readonly string[] | ((life: number) => readonly string[]);
    readonly env?: Readonly<Record<string, string>>;
  }) {
    this.name = options.name;
    this.#file = options.file;
    const { args = [] } = options;
    this.#args = typeof args === 'function' ? args : () => args;
    this.#env = options.env ?? {};
  }

  /** Further variables of its environment from the next start on. */
  set(env: Readonly<Record<string, string>>): void {
    this.#env = { ...this.#env, ...env };
  }

  start(): void {
    this.#lives += 1;
    const child = spawn(process.execPath, [this.#file, ...this.#args(this.#lives)], {
      env: { ...processEnv, ...this.#env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    // Log lines go to stdout, errors of Node itself to stderr.
    let tail = '';
    const collect = (chunk: Buffer) => {
      tail = (tail + chunk.toString()).slice(-tailMax);
      this.#errors = tail;
    };
    child.stdout.on('data', collect);
    createInterface({ input: child.stdout }).on('line', (line) => {
      const event = /"event":"([^"]*)"/.exec(line)?.[1] ?? '';
      this.#events.set(event, (this.#events.get(event) ?? 0) + 1);
    });
    child.stderr.on('data', collect);
    this.#process = child;
    this.#isWanted = true;
    const startedMs = performance.now();
    child.once('close', (code, signal) => {
      if (this.#asked.has(child)) return;
      const agedMs = Math.round(performance.now() - startedMs);
      this.ends.push({ name: this.name, end: signal ?? `exit code ${code}`, agedMs, lastWords: tail });
      if (this.#isWanted && this.#process === child) this.start();
    });
  }

  get deaths(): number {
    return this.ends.length;
  }

  get pid(): number {
    return this.#process?.pid ?? 0;
  }

  get isRunning(): boolean {
    return this.#process !== undefined && this.#process.exitCode === null && this.#process.signalCode === null;
  }

  /** Its last output, for failure messages. */
  get errors(): string {
    return this.#errors;
  }

  /** How often it logged an event, in all its lives. */
  logged(event: string): number {
    return this.#events.get(event) ?? 0;
  }

  /** Sends SIGKILL and starts it again. */
  async crash(): Promise<void> {
    this.kills += 1;
    await this.#end('SIGKILL');
    this.start();
  }

  /** Sends SIGTERM, and SIGKILL after the grace period. */
  async stop(): Promise<void> {
    const force = setTimeout(() => this.#process?.kill('SIGKILL'), 15_000);
    await this.#end('SIGTERM');
    clearTimeout(force);
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    this.#isWanted = false;
    if (!this.isRunning || !this.#process) return;
    const exited = once(this.#process, 'exit');
    this.#asked.add(this.#process);
    this.#process.kill(signal);
    await exited;
  }
}
