import { readFileSync } from 'node:fs';
import path from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const seconds = JSON.parse(readFileSync(path.join(import.meta.dirname, 'durations.json'), 'utf8')) as Readonly<Record<string, number>>;

/** Starts the longest files of each project first, so that no worker is left with one of them at the end. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // Vitest keeps the files of a project together, and knows durations only after the first run.
    const sorted = await super.sort(files);
    const projects = [...new Set(sorted.map(({ project }) => project.name))];
    return sorted.toSorted((a, b) => projects.indexOf(a.project.name) - projects.indexOf(b.project.name) || secondsOf(b) - secondsOf(a));
  }
}

function secondsOf({ moduleId, project }: TestSpecification): number {
  return seconds[path.relative(project.config.root, moduleId).replaceAll(path.sep, '/')] ?? 0;
}
