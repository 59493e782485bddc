import { readRoute, routePointsMax, type Route } from './apple-route.ts';
import type { ExportItem, SkippedFile } from './export-batch.ts';
import type { ExportFile } from './open-export.ts';
import { isSkipped, readFile } from './read-file.ts';

const isRoute = (path: string) => /\.gpx$/i.test(path);

/** The routes among the files of an export. Keeps what was skipped until it is taken. */
export function openRoutes(files: ReadonlyMap<string, ExportFile>) {
  const unused = new Set([...files.keys()].filter(isRoute));
  let skipped: SkippedFile[] = [];
  return {
    /** The route of a workout, of all files that it names; without those that cannot be read. */
    async read(paths: readonly string[]): Promise<Route> {
      const [route, samples]: [ExportItem[], ExportItem[]] = [[], []];
      for (const named of paths) {
        const path = named.startsWith('/') ? named : `/${named}`;
        const file = files.get(path);
        const found = file && isRoute(path) ? await readFile(file, readRoute) : { path, reason: 'not in the archive' };
        unused.delete(path);
        if (isSkipped(found)) skipped.push(found);
        else if (route.length + found.route.length <= routePointsMax) {
          for (const point of found.route) route.push(point);
          for (const sample of found.samples) samples.push(sample);
        } else skipped.push({ path, reason: 'too many points' });
      }
      return { route, samples };
    },
    /** Reports the routes that no workout has named. */
    skipUnused(): void {
      for (const path of unused) skipped.push({ path, reason: 'of no workout' });
      unused.clear();
    },
    takeSkipped(): readonly SkippedFile[] {
      const taken = skipped;
      skipped = [];
      return taken;
    },
  };
}
