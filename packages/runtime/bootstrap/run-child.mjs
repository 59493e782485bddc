import { spawn } from 'node:child_process';

const forwarded = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'];
// npm passes on the signal that the terminal has already sent to everyone.
const sameRequestMs = 1000;

/**
 * Runs a program in our place: same terminal, same process group, and in the end the same exit code or the same deadly signal.
 * The child stays in our process group on purpose: who kills the group kills all of it.
 */
export function runChild(binary, args, { cwd, env }) {
  return new Promise((resolve) => {
    const child = spawn(binary, args, { cwd, env, stdio: 'inherit' });
    const lastMs = new Map();
    // A terminal sends Ctrl-C to the whole group, so the child has it already.
    const isTerminal = process.stdin.isTTY === true;

    const handlers = forwarded.map((signal) => {
      const handler = () => {
        const nowMs = performance.now();
        const isRepeat = nowMs - (lastMs.get(signal) ?? -Infinity) < sameRequestMs;
        lastMs.set(signal, nowMs);
        const isFromTerminal = isTerminal && (signal === 'SIGINT' || signal === 'SIGQUIT');
        if (!isRepeat && !isFromTerminal) child.kill(signal);
      };
      process.on(signal, handler);
      return [signal, handler];
    });

    child.on('error', (error) => {
      console.error(`The installed Node could not be run (${error.code}): ${binary}`);
      resolve(126);
    });
    child.on('exit', (code, signal) => {
      for (const [name, handler] of handlers) process.off(name, handler);
      if (signal === null) return resolve(code);
      // The same end as the child's. Some signals do not end Node; the shell's code for them is the next best thing.
      process.kill(process.pid, signal);
      setTimeout(() => resolve(1), 1000);
    });
  });
}
