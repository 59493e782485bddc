import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

export interface PrintJob {
  source: string;
  pdf: string;
}

/** Turns sources into PDF files; many at once, because some programs start slowly. */
export interface Printer {
  /** A missing program, with the package that brings it; null if all is there. */
  missing(): Promise<string | null>;
  print(jobs: readonly PrintJob[]): Promise<void>;
}

const execute = promisify(execFile);
/** Long enough for a busy machine; a program that hangs is ended. */
const deadline = 240_000;

export async function run(
  program: string,
  args: readonly string[],
  options: { cwd?: string; input?: string | Buffer } = {},
): Promise<string> {
  const { input, ...others } = options;
  const running = execute(program, [...args], { timeout: deadline, maxBuffer: 64 << 20, encoding: 'utf8', ...others });
  if (input !== undefined) running.child.stdin?.end(input);
  return (await running).stdout;
}

export async function isThere(program: string, args: readonly string[] = ['--version']): Promise<boolean> {
  try {
    await run(program, args);
    return true;
  } catch {
    return false;
  }
}
