import path from 'node:path';
import ts from 'typescript';

const folder = import.meta.dirname;
const options: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  skipLibCheck: false,
  exactOptionalPropertyTypes: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  types: [],
};

/** A program of files that exist only in memory. */
export function checkProgram(files: Readonly<Record<string, string>>): {
  readonly program: ts.Program;
  readonly errors: readonly string[];
} {
  const texts = new Map(Object.entries(files).map(([name, text]) => [path.join(folder, name), text]));
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile } = host;
  host.fileExists = (name) => texts.has(name) || fileExists(name);
  host.readFile = (name) => texts.get(name) ?? readFile(name);
  const program = ts.createProgram([...texts.keys()], options, host);
  const errors = ts.getPreEmitDiagnostics(program).map(({ file, start = 0, messageText }) => {
    const line = file === undefined ? '' : `${path.basename(file.fileName)}:${file.getLineAndCharacterOfPosition(start).line + 1} `;
    return line + ts.flattenDiagnosticMessageText(messageText, '\n');
  });
  return { program, errors };
}

/** Returns the exports of one of those files. */
export function exportsOf(program: ts.Program, name: string): ReadonlyMap<string, ts.Type> {
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(path.join(folder, name));
  const symbol = source && checker.getSymbolAtLocation(source);
  const exported = symbol === undefined ? [] : checker.getExportsOfModule(symbol);
  return new Map(exported.map((one) => [one.name, checker.getDeclaredTypeOfSymbol(one)]));
}
