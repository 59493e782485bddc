import { readdirSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

// Starts a program of a release: `node pulsewire.js <program> [arguments]`. It imports nothing of ours, because an older Node would fail on the
// syntax before it could say what is wrong.

/** Oldest major version of Node that runs the programs. */
const nodeMajor = 24;
/** EX_USAGE of sysexits.h. */
const usageExitCode = 64;

const [, started = '', name, ...rest] = process.argv;
const folder = path.dirname(realpathSync(started));
const isProgram = (file: string) =>
  /^[a-z-]+\.js$/.test(file) && !file.startsWith('part-') && !/^(?:pulsewire|report-parser-child|standalone-worker)\./.test(file);
const programs = readdirSync(folder)
  .filter(isProgram)
  .map((file) => path.basename(file, '.js'));

function refuse(problem: string): void {
  process.stderr.write(
    `${problem}\n\nUsage: node pulsewire.js <program> [arguments]\nPrograms: ${programs.join(', ')}\nOptions of each: --help\n`,
  );
  process.exitCode = usageExitCode;
}

if (Number(process.versions.node.split('.')[0]) < nodeMajor)
  refuse(`Pulsewire needs Node ${nodeMajor} or newer; this is ${process.version}.`);
else if (name === undefined) refuse('Missing program.');
else if (!programs.includes(name)) refuse(`There is no program "${name}".`);
else {
  const file = path.join(folder, `${name}.js`);
  // As if it had been started itself: programs name themselves in their messages, and read their own arguments.
  process.argv = [process.execPath, file, ...rest];
  await import(pathToFileURL(file).href);
}
