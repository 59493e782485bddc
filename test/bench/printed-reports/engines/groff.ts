import { isThere, run, type Printer } from './engine.ts';

/** The typesetter of Unix systems, with tables by tbl: PostScript made into PDF, as hospital systems of the nineties did. */
export const groffPrinter: Printer = {
  async missing() {
    if (!(await isThere('groff'))) return 'groff (package groff)';
    return (await isThere('ps2pdf', ['-h'])) || (await isThere('gs')) ? null : 'ps2pdf (package ghostscript)';
  },
  async print(jobs) {
    for (const { source, pdf } of jobs) {
      const postscript = await run('groff', ['-K', 'utf8', '-t', '-Tps', '-P-pletter'], { input: source });
      await run('ps2pdf', ['-sPAPERSIZE=letter', '-', pdf], { input: postscript });
    }
  },
};
