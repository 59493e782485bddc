import { dirname } from 'node:path';
import { sourceFiles } from './workspace.ts';

/** More than this cannot be taken in at a glance. */
export const filesMax = 16;

/** Folders with more source files than `filesMax`, the fullest first. */
export function fullFolders(): readonly { readonly folder: string; readonly files: number }[] {
  return [...Map.groupBy(sourceFiles(), (file) => dirname(file))]
    .map(([folder, files]) => ({ folder, files: files.length }))
    .filter(({ files }) => files > filesMax)
    .toSorted((a, b) => b.files - a.files);
}
