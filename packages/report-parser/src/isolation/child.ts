import { extractPages } from '../extract/extract-pages.ts';
import { ReportParseError } from '../extract/failure.ts';
import { readReport } from '../read-report.ts';
import type { ParseOutcome, ParseRequest, ScansFound } from './messages.ts';

function reportScans(count: number): void {
  process.send?.({ kind: 'scans', count } satisfies ScansFound);
}

/** The program of the child process: parses one report, sends the outcome and ends. */
async function parse({ files, limits }: ParseRequest): Promise<ParseOutcome> {
  try {
    return { kind: 'read', report: readReport(await extractPages(files, limits, reportScans)) };
  } catch (error) {
    if (error instanceof ReportParseError) return { kind: 'failed', reason: error.reason, detail: error.message };
    // The message may quote the file, so it is omitted.
    return {
      kind: 'failed',
      reason: 'processing_error',
      detail: `The file could not be processed (${error instanceof Error ? error.name : 'unknown'})`,
    };
  }
}

process.once('message', (request) => {
  void parse(request as ParseRequest).then((outcome) => process.send?.(outcome, undefined, {}, () => process.disconnect()));
});
