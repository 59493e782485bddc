import { isThere, run, type Printer } from './engine.ts';

const firstLine = /^%%options (.*)\n/;

/** Plain text as a line printer puts it on paper. The first line of a source may have options: `%%options -f Courier9 -L 66`. */
export const enscriptPrinter: Printer = {
  async missing() {
    if (!(await isThere('enscript'))) return 'enscript (package enscript)';
    return (await isThere('gs')) ? null : 'ps2pdf (package ghostscript)';
  },
  async print(jobs) {
    for (const { source, pdf } of jobs) {
      const options = (firstLine.exec(source)?.[1] ?? '-f Courier10').split(' ');
      const text = Buffer.from(source.replace(firstLine, ''), 'latin1');
      const postscript = await run('enscript', ['-q', '-B', ...options, '-p', '-'], { input: text });
      await run('ps2pdf', ['-', pdf], { input: postscript });
    }
  },
};
