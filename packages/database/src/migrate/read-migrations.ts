import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { AppError } from '@pulsewire/kernel';

export interface Migration {
  readonly number: number;
  readonly name: string;
  readonly sql: string;
  readonly hash: string;
  /** The number of the last migration that a program has to know to work on a database with this one; usually this one's. */
  readonly lowest: number;
}

/** Marks a migration beside which older programs may work: `-- Works with: 0076.` */
const lowestMark = /^-- Works with: (\d{4})\.$/m;

/** Where the numbered SQL files are: beside the sources, or beside the bundle in production. */
const defaultFolder = path.join(path.dirname(fileURLToPath(import.meta.url)), '..', '..', 'migrations');

/** Reads the migrations in order. Throws AppError `migrations_invalid` when numbers repeat or leave a gap. */
export async function readMigrations(folder: string = defaultFolder): Promise<readonly Migration[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort();
  return Promise.all(
    files.map(async (file, index) => {
      const number = Number.parseInt(file, 10);
      if (number !== index + 1) {
        throw new AppError({
          code: 'migrations_invalid',
          kind: 'bug',
          message: 'Migration numbers must run 1, 2, 3 without a gap',
          details: { file },
        });
      }
      const sql = await readFile(path.join(folder, file), 'utf8');
      const lowest = Number(lowestMark.exec(sql)?.[1] ?? number);
      return { number, name: file.replace(/\.sql$/, ''), sql, hash: createHash('sha256').update(sql).digest('hex'), lowest };
    }),
  );
}
