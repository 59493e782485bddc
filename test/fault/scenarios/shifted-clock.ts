// Preloaded into processes of the clock scenario: shifts their clock by the milliseconds in the file that the query of its URL names.
import { readFileSync } from 'node:fs';

const file = new URL(import.meta.url).searchParams.get('file') ?? '';
const RealDate = Date;
let shiftMs = 0;
const look = () => {
  try {
    shiftMs = Number(readFileSync(file, 'utf8')) || 0;
  } catch {
    // The file is being written.
  }
};
look();
setInterval(look, 50).unref();

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args: [], newTarget) =>
    Reflect.construct(target, args.length === 0 ? [RealDate.now() + shiftMs] : args, newTarget === Date ? target : newTarget),
  get: (target, name, receiver) => (name === 'now' ? () => RealDate.now() + shiftMs : Reflect.get(target, name, receiver)),
});
