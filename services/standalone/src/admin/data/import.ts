import { importAppleExport, type ImportProgress } from '@pulsewire/intake';
import { required, type AdminCommand } from '../command/command.ts';

const printEveryBytes = 64 * 1024 * 1024;
const mebibytes = (bytes: number) => Math.round(bytes / 1024 / 1024);

function describe({ items, bytesRead, bytes, leftOut }: ImportProgress): string {
  const reasons = Object.entries(leftOut).map(([reason, count]) => `${count} ${reason}`);
  const without = reasons.length === 0 ? '' : `; left out: ${reasons.join(', ')}`;
  return `${mebibytes(bytesRead)} of ${mebibytes(bytes)} MiB, ${items} items${without}`;
}

export const importCommand: AdminCommand = {
  name: 'import',
  usage: '<team_id> <user_id> <export.zip>',
  about: 'stores an export of Apple Health for a user who has linked apple_health_kit; safe to repeat',
  async run({ database, print }, args) {
    const user = { teamId: required(args, 0, 'team_id'), userId: required(args, 1, 'user_id') };
    let printedBytes = 0;
    const done = await importAppleExport(database, user, required(args, 2, 'export.zip'), (progress) => {
      if (progress.bytesRead - printedBytes < printEveryBytes) return;
      printedBytes = progress.bytesRead;
      print(describe(progress));
    });
    print(`Imported: ${describe(done)}`);
  },
};
