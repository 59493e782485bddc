import { filesUnder, read } from './workspace.ts';

/**
 * A section or appendix of a specification, plan or issue that is not in the repository: 'contract' and a number, or in comments only a
 * number.
 */
const pattern =
  /\b(contract|interface|plan|spec|specification|section)(\.md)?( ?§ ?| )\d+(\.\d+)*\b|\b(contract|interface|spec) appendix\b|\bauth matrix\b|^\s*(?:\/\/|\/?\*).*\(\d+\.\d+\)|\b(interface|contract|seen-payloads|labs)\.md\b|shared\/(spec|reference|design)/i;
/** RFCs are public. */
const isPublic = /\bRFC ?\d+/;

export function refersToDocument(line: string): boolean {
  return pattern.test(line) && !isPublic.test(line);
}

/** Lines that refer to a document outside the repository, as `file:line: text`. */
export function documentReferences(): string[] {
  const folders = ['packages', 'services', 'test', 'deploy', 'schemas'];
  const files = [...folders.flatMap((folder) => filesUnder(folder, ['.ts', '.mjs', '.md', '.sql'])), 'README.md', 'SECURITY.md'];
  return files
    .filter((file) => !file.startsWith('test/architecture/'))
    .flatMap((file) =>
      read(file)
        .split('\n')
        .flatMap((line, i) => (refersToDocument(line) ? [`${file}:${i + 1}: ${line.trim().slice(0, 120)}`] : [])),
    );
}
