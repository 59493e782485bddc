import { bySpecimen } from './by-specimen.ts';
import { chart } from './chart.ts';
import { inOut } from './in-out.ts';
import { international } from './international.ts';
import type { Layout } from './layout.ts';
import { narrow } from './narrow.ts';
import { portal } from './portal.ts';
import { printout } from './printout.ts';
import { resultFlag } from './result-flag.ts';
import { twoColumn } from './two-column.ts';
import { withPrevious } from './with-previous.ts';

export const layouts: readonly Layout[] = [
  resultFlag,
  inOut,
  chart,
  twoColumn,
  bySpecimen,
  international,
  printout,
  portal,
  withPrevious,
  narrow,
];
