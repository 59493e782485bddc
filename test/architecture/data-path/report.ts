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

/** Prints how long the path of a sample is, by stage; with `isListed` also the functions. */
export async function reportDataPath(isListed: boolean): Promise<void> {
  const executed = (await measureDataPath()).map((line) => line.split(' ') as [string, string]);
  const files: File[] = [...Map.groupBy(executed, ([path]) => path)].map(([path, own]) => {
    const names = own.map(([, name]) => name);
    return { path, names, steps: countSteps(path, names) };
  });
  const print = (line: string): void => void process.stdout.write(`${line}\n`);
  const isOnPath = ({ path }: File) => stageNames.includes(stageOf(path));
  print(`notification to request: ${figures(files.filter(isOnPath))}`);
  print(`beside it, shared values and clients: ${figures(files.filter((file) => !isOnPath(file)))}`);
  for (const stage of stageNames) {
    const own = files.filter(({ path }) => stageOf(path) === stage);
    print(`  ${stage}: ${figures(own)}`);
    if (isListed) for (const { path, names } of own) print(`    ${path}: ${names.join(', ')}`);
  }
}
