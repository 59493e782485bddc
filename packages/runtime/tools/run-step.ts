import { spawn } from 'node:child_process';

export interface Step {
  readonly name: string;
  /** A program of node_modules, run by this same Node. */
  readonly args: readonly string[];
}

export interface StepResult {
  readonly name: string;
  readonly ok: boolean;
  readonly seconds: number;
  readonly output: string;
}

const outputMax = 1024 * 1024;

/** Runs one step and captures its output. */
export async function runStep(step: Step, cwd: string): Promise<StepResult> {
  const startedMs = performance.now();
  const child = spawn(process.execPath, step.args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  const keep = (chunk: string) => {
    if (output.length < outputMax) output += chunk;
  };
  child.stdout.setEncoding('utf8').on('data', keep);
  child.stderr.setEncoding('utf8').on('data', keep);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  return { name: step.name, ok: code === 0, seconds: (performance.now() - startedMs) / 1000, output: output.trim() };
}
