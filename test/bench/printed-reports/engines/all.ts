import type { Engine } from '../report/truth.ts';
import { chromiumPrinter } from './chromium.ts';
import type { Printer } from './engine.ts';
import { enscriptPrinter } from './enscript.ts';
import { groffPrinter } from './groff.ts';
import { latexPrinter } from './latex.ts';
import { libreofficePrinter } from './libreoffice.ts';
import { reportlabPrinter } from './reportlab.ts';

export const printers: Record<Engine, Printer> = {
  chromium: chromiumPrinter,
  latex: latexPrinter,
  libreoffice: libreofficePrinter,
  groff: groffPrinter,
  enscript: enscriptPrinter,
  reportlab: reportlabPrinter,
};
