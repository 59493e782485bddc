import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isThere, run, type Printer } from './engine.ts';
import { inFolder, move } from './folder.ts';

/** Fixed column widths in the sources make one run enough. */
export const latexPrinter: Printer = {
  async missing() {
    return (await isThere('pdflatex')) ? null : 'pdflatex (packages texlive-latex-base, -recommended, -extra, texlive-fonts-recommended)';
  },
  async print(jobs) {
    await inFolder(async (folder) => {
      for (const { source, pdf } of jobs) {
        await writeFile(path.join(folder, 'report.tex'), source);
        await run('pdflatex', ['-interaction=nonstopmode', '-halt-on-error', 'report.tex'], { cwd: folder }).catch(
          (error: { stdout?: string }) => {
            throw new Error(`pdflatex failed for ${path.basename(pdf)}: ${error.stdout?.slice(-1500)}`);
          },
        );
        await move(path.join(folder, 'report.pdf'), pdf);
      }
    });
  },
};
