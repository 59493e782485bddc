import { cyclesOf, importsWithin } from './import-graph.ts';
import { crossingOf, isAgainst } from './layer-rule.ts';
import { layers } from '../layers.ts';
import { documentReferences } from './document-references.ts';
import { filesMax, fullFolders } from './full-folders.ts';
import { workspaceMembers, sourceFiles } from './workspace.ts';

/** Prints the shape of the code in a few figures, for comparison before and after a restructuring. */
export function reportFigures(): void {
  const full = fullFolders();

  const all = workspaceMembers();
  const edges = all.flatMap(({ folder }) => importsWithin(`${folder}/src`));
  const cycles = cyclesOf(edges);
  const against = edges.filter((edge) => {
    const crossing = edge.from.endsWith('.test.ts') ? null : crossingOf(edge);
    return crossing !== null && isAgainst(layers[crossing.folder] ?? [], crossing);
  });
  const references = documentReferences();

  const print = (line: string): void => void process.stdout.write(`${line}\n`);
  print(`files: ${sourceFiles().length}`);
  print(`folders with more than ${filesMax} files: ${full.length}`);
  for (const { folder, files } of full) print(`  ${files} ${folder}`);
  print(`import cycles: ${cycles.length}`);
  for (const cycle of cycles) print(`  ${cycle.join(', ')}`);
  print(`imports against the order of layers: ${against.length}`);
  for (const { folder } of all) {
    const of = against.filter(({ from }) => from.startsWith(`${folder}/`)).length;
    if (of > 0) print(`  ${of} ${folder}`);
  }
  print(`references to documents outside the repository: ${references.length}`);
  for (const reference of references) print(`  ${reference}`);
}
