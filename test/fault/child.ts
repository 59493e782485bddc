import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** A process of the system under test: started, killed without warning, and started again. */
export class Child {
  readonly name: string;
  readonly #file: string;
  readonly #args: readonly string[];
  readonly #env: Readonly<Record<string, string>>;
  #process: ChildProcess | undefined;
  #errors = '';
  kills = 0;
  /** Ends that nobody asked for: a process must not die because another one did. */
  deaths = 0;
  #isWanted = false;

  constructor(options: {
    readonly name: string;
    readonly file: string;
    readonly args?: readonly string[];
    readonly env?: Readonly<Record<string, string>>;
  }) {
    this.name = options.name;
    this.#file = options.file;
    this.#args = options.args ?? [];
    this.#env = options.env ?? {};
  }

  start(): void {
    const child = spawn(process.execPath, [this.#file, ...this.#args], {
      env: { PATH: '/usr/bin:/bin', ...this.#env },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    child.stderr.on('data', (chunk: Buffer) => (this.#errors = (this.#errors + chunk.toString()).slice(-4000)));
    this.#process = child;
    this.#isWanted = true;
    child.once('exit', () => {
      if (!this.#isWanted || this.#process !== child) return;
      this.deaths += 1;
      this.start();
    });
  }

  get isRunning(): boolean {
    return this.#process !== undefined && this.#process.exitCode === null && this.#process.signalCode === null;
  }

  /** What it last wrote to stderr, for when something went wrong. */
  get errors(): string {
    return this.#errors;
  }

  /** kill -9, and a new start. */
  async crash(): Promise<void> {
    this.kills += 1;
    await this.#end('SIGKILL');
    this.start();
  }

  /** Asks it to stop; insists after the grace time. */
  async stop(): Promise<void> {
    const force = setTimeout(() => this.#process?.kill('SIGKILL'), 15_000);
    await this.#end('SIGTERM');
    clearTimeout(force);
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    if (!this.isRunning || !this.#process) return;
    this.#isWanted = false;
    const exited = once(this.#process, 'exit');
    this.#process.kill(signal);
    await exited;
  }
}
