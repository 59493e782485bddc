import type { ExecutedFunction } from './executed.ts';
import { measureDataPath } from './measure.ts';
import { stageNames, stageOf } from './stages.ts';
import { countSteps } from './steps.ts';

interface File {
  readonly path: string;
  readonly names: readonly string[];
  readonly steps: number;
}

const sum = (files: readonly File[], of: (file: File) => number) => files.reduce((total, file) => total + of(file), 0);

function figures(files: readonly File[]): string {
  return `${sum(files, ({ steps }) => steps)} steps in ${files.length} files, ${sum(files, ({ names }) => names.length)} functions`;
}

function filesOf(functions: readonly ExecutedFunction[]): File[] {
  const executed = functions.map((line) => line.split(' ') as [string, string]);
  return [...Map.groupBy(executed, ([path]) => path)].map(([path, own]) => {
    const names = own.map(([, name]) => name);
    return { path, names, steps: countSteps(path, names) };
  });
}

/** Prints how long the path of a sample is, by stage; with `isListed` also the functions, with a star where the sample passes through. */
export async function reportDataPath(isListed: boolean): Promise<void> {
  const { reached, passed } = await measureDataPath();
  const files = filesOf(reached);
  const passedFiles = filesOf(reached.filter((name) => passed.has(name)));
  const print = (line: string): void => void process.stdout.write(`${line}\n`);
  const isOnPath = ({ path }: File) => stageNames.includes(stageOf(path));
  print(`the sample passes through ${figures(passedFiles.filter(isOnPath))}`);
  print(`notification to request, all that runs: ${figures(files.filter(isOnPath))}`);
  print(`beside it, shared values and clients: ${figures(files.filter((file) => !isOnPath(file)))}`);
  for (const stage of stageNames) {
    const own = files.filter(({ path }) => stageOf(path) === stage);
    const ownPassed = passedFiles.filter(({ path }) => stageOf(path) === stage);
    print(`  ${stage}: passes through ${figures(ownPassed)}; all: ${figures(own)}`);
    if (!isListed) continue;
    for (const { path, names } of own)
      print(`    ${path}: ${names.map((name) => (passed.has(`${path} ${name}`) ? `*${name}` : name)).join(', ')}`);
  }
}
