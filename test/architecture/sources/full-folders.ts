import { dirname } from 'node:path';
import { filesUnder, sourceFiles } from './workspace.ts';

/** More than this cannot be taken in at a glance. */
export const filesMax = 25;

/** Folders with more source files than `filesMax`, the fullest first. */
export function fullFolders(): readonly { readonly folder: string; readonly files: number }[] {
  return [...Map.groupBy(sourceFiles(), (file) => dirname(file))]
    .map(([folder, files]) => ({ folder, files: files.length }))
    .filter(({ files }) => files > filesMax)
    .toSorted((a, b) => b.files - a.files);
}

/** More files than this, without tests and recordings, and nobody reads a connector in one sitting. */
export const connectorFilesMax = 25;

const connectorOf = /^packages\/providers\/src\/(?!kit\/)([^/]+)\/(?!(?:.*\/)?fixtures\/).*(?<!\.test)\.ts$/;

/** The connectors with more files than `connectorFilesMax`, and their counts. */
export function largeConnectors(files = filesUnder('packages/providers/src', ['.ts'])): readonly string[] {
  const slugs = files.flatMap((file) => connectorOf.exec(file)?.[1] ?? []);
  return [...Map.groupBy(slugs, (slug) => slug)]
    .filter(([, { length }]) => length > connectorFilesMax)
    .map(([slug, { length }]) => `${slug} has ${length} files, ${connectorFilesMax} are allowed`);
}
