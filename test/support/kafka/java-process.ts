import { spawn, type ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';

/** A Java process that ends with us, even when we are killed. */
export interface JavaProcess {
  /** Process id of Java itself, so that a test can signal it. */
  readonly pid: number;
  isRunning(): boolean;
  /** Sends SIGKILL and resolves when the process is gone. */
  kill(): Promise<void>;
  /** SIGTERM, and SIGKILL when it takes longer than `graceMs`. */
  stop(graceMs?: number): Promise<void>;
  /** The last lines of its output. */
  logTail(): Promise<string>;
}

// The shell has the other end of a pipe (descriptor 3): when we exit, it reads end-of-file and kills Java.
// `read` is a builtin; a `cat` would be one more process to leave behind.
const guard =
  'log=$1; shift; "$@" 3<&- >>"$log" 2>&1 & child=$!; echo $child; { read -r _ <&3; kill -9 $child; } 2>/dev/null & wait $child; kill $! 2>/dev/null';

/** Starts `java` with these arguments, its output in `logFile`. */
export async function startJava(options: {
  readonly args: readonly string[];
  readonly logFile: string;
  readonly folder: string;
}): Promise<JavaProcess> {
  const shell = spawn('sh', ['-c', guard, 'sh', options.logFile, 'java', ...options.args], {
    cwd: options.folder,
    stdio: ['ignore', 'pipe', 'ignore', 'pipe'],
  });
  const pid = await firstNumber(shell);
  const gone = new Promise<void>((resolve) => shell.once('exit', () => resolve()));
  const signal = (name: NodeJS.Signals) => {
    try {
      process.kill(pid, name);
    } catch {
      // The process has already ended.
    }
  };
  const isRunning = () => shell.exitCode === null && shell.signalCode === null;
  const kill = async () => {
    if (isRunning()) signal('SIGKILL');
    await gone;
  };
  return {
    pid,
    isRunning,
    kill,
    async stop(graceMs = 10_000) {
      if (!isRunning()) return;
      signal('SIGTERM');
      const timer = setTimeout(() => signal('SIGKILL'), graceMs);
      await gone;
      clearTimeout(timer);
    },
    async logTail() {
      return (await readFile(options.logFile, 'utf8').catch(() => '')).slice(-4_000);
    },
  };
}

async function firstNumber(shell: ChildProcess): Promise<number> {
  for await (const chunk of shell.stdout ?? []) return Number(String(chunk).trim());
  throw new Error('Java did not start');
}
