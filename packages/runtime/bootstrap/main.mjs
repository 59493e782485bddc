import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describeCommands, resolveCommand } from './commands.mjs';
import { ensureInstalled } from './install.mjs';
import { nodeBinary } from './pins.mjs';
import { runChild } from './run-child.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..');

/** Runs one root command; returns the exit code. */
export async function main(args) {
  const command = resolveCommand(root, args);
  if (!command.ok) {
    console.error(`${command.problem}\n\n${describeCommands()}`);
    return 64;
  }
  try {
    await ensureInstalled(root, (line) => console.error(line));
  } catch (error) {
    console.error(error.message);
    return 1;
  }
  const binary = nodeBinary(root);
  return runChild(binary, command.nodeArgs, {
    cwd: root,
    env: {
      ...process.env,
      // Everything that a command starts (git hooks, test workers, tools) finds the same Node.
      PATH: [dirname(binary), process.env.PATH].join(delimiter),
      ...command.env,
    },
  });
}
