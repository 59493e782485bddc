interface Deadlines {
  /** Time for a report without scans, in ms. */
  readonly deadlineMs: number;
  /** Additional time for each page that is a scan, in ms. */
  readonly scanDeadlineMs: number;
  readonly pagesMax: number;
}

/** The time in ms that a report with this many scanned pages may take. Bounded, whatever count the child process reports. */
export function deadlineOf({ deadlineMs, scanDeadlineMs, pagesMax }: Deadlines, scans: number): number {
  return deadlineMs + scanDeadlineMs * Math.max(0, Math.min(scans, pagesMax));
}
