import { spawn } from 'node:child_process';

const forwarded = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'];
// npm repeats a signal that the terminal has already sent to the whole process group.
const sameRequestMs = 1000;

/**
 * Runs a program in place of this process: same terminal and process group, and the same exit code or terminating signal.
 * The child stays in our process group deliberately, so that killing the group also kills the child.
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
      console.error(`The installed Node could not be started (${error.code}): ${binary}`);
      resolve(126);
    });
    child.on('exit', (code, signal) => {
      for (const [name, handler] of handlers) process.off(name, handler);
      if (signal === null) return resolve(code);
      // Terminate by the same signal. Some signals do not terminate Node; after a second, exit with 1.
      process.kill(process.pid, signal);
      setTimeout(() => resolve(1), 1000);
    });
  });
}
