import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isThere, run, type Printer } from './engine.ts';
import { inFolder, move } from './folder.ts';

/** Text documents as XML, exported by an office program: all in one run, because it starts slowly. */
export const libreofficePrinter: Printer = {
  async missing() {
    return (await isThere('soffice')) ? null : 'soffice (package libreoffice-writer)';
  },
  async print(jobs) {
    await inFolder(async (folder) => {
      const files = jobs.map((_, index) => path.join(folder, `report-${index}.fodt`));
      for (const [index, { source }] of jobs.entries()) await writeFile(files[index] ?? '', source);
      // A profile of its own: an office program that is open would take the run over and print nothing.
      await run('soffice', [
        `-env:UserInstallation=file://${folder}/profile`,
        '--headless',
        '--convert-to',
        'pdf',
        '--outdir',
        folder,
        ...files,
      ]);
      for (const [index, { pdf }] of jobs.entries()) await move(path.join(folder, `report-${index}.pdf`), pdf);
    });
  },
};
