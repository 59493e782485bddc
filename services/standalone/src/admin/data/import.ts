import { importExport, type ImportProgress } from '@pulsewire/intake';
import { required, type AdminCommand } from '../command/command.ts';

/** Progress is printed when a further hundredth was read. */
const steps = 100;
const mebibytes = (bytes: number) => `${Math.round(bytes / 1024 / 1024)} MiB`;

function describe({ items, read, total, unit, leftOut }: ImportProgress): string {
  const reasons = Object.entries(leftOut).map(([reason, count]) => `${count} ${reason}`);
  const without = reasons.length === 0 ? '' : `; left out: ${reasons.join(', ')}`;
  const done = unit === 'bytes' ? `${mebibytes(read)} of ${mebibytes(total)}` : `${read} of ${total} rows`;
  return `${done}, ${items} items${without}`;
}

export const importCommand: AdminCommand = {
  name: 'import',
  usage: '<team_id> <user_id> <export.zip>',
  about: 'import an export of Apple Health or Health Connect for a user who has linked apple_health_kit or health_connect; safe to repeat',
  async run({ database, clock, print }, args) {
    const user = { teamId: required(args, 0, 'team_id'), userId: required(args, 1, 'user_id') };
    let printed = 0;
    let last: ImportProgress | null = null;
    const done = await importExport({ database, clock }, user, required(args, 2, 'export.zip'), (progress) => {
      last = progress;
      const step = Math.floor((progress.read / Math.max(1, progress.total)) * steps);
      if (step === printed) return;
      printed = step;
      print(describe(progress));
    }).catch((error: unknown) => {
      // A damaged export is stored up to its damage, and its error follows.
      if (last) print(`Imported until the import failed: ${describe(last)}`);
      throw error;
    });
    for (const { path, reason } of done.skipped) print(`Skipped ${path}: ${reason}`);
    const more = done.filesSkipped - done.skipped.length;
    if (more > 0) print(`Skipped ${more} further files`);
    print(`Imported: ${describe(done)}`);
  },
};
