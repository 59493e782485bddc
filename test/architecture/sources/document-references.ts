import { filesUnder, read } from './workspace.ts';

/**
 * A section or appendix of a specification, plan or issue that is not in the repository: 'contract' and a number, or in comments only a
 * number.
 */
const pattern =
  /\b(contract|interface|plan|spec|specification|section)(\.md)?( ?§ ?| )\d+(\.\d+)*\b|\b(contract|interface|spec) appendix\b|\bauth matrix\b|^\s*(?:\/\/|\/?\*).*\(\d+\.\d+\)|\b(interface|contract|seen-payloads|labs)\.md\b|shared\/(spec|reference|design)/i;
/**
 * Prose that refers to such a specification without a number. `contract` alone is the package of that name, and the interface of a provider
 * or of a connector is named as such.
 */
const prose = new RegExp(
  [
    String.raw`\b(printed|published|stated) in the (contract|interface|specification)\b`,
    String.raw`\b(in|fixed by|required by|defined by) the (interface|specification)\b(?! (of|for)\b)`,
    String.raw`\bthe (interface|specification) (only )?(states|says|prints|lists|names|requires|defines|allows|leaves|has no)\b`,
    String.raw`\b(names|statuses|slugs|labs|provider|codes|fields|types|samples|examples) of the (interface|specification)\b(?! (of|for)\b)`,
    String.raw`\bpublished list, verbatim\b`,
  ].join('|'),
  'i',
);
/** RFCs are public. */
const isPublic = /\bRFC ?\d+/;

export function refersToDocument(line: string): boolean {
  return (pattern.test(line) || prose.test(line)) && !isPublic.test(line);
}

/** Lines that refer to a document outside the repository, as `file:line: text`. */
export function documentReferences(): string[] {
  const folders = ['packages', 'services', 'test', 'deploy', 'schemas'];
  const endings = ['.ts', '.mjs', '.js', '.py', '.md', '.sql', '.yaml'];
  const rootFiles = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md', 'pnpm-workspace.yaml'];
  const files = [...folders.flatMap((folder) => filesUnder(folder, endings)), ...filesUnder('.ci', ['']), ...rootFiles];
  return files
    .filter((file) => !file.startsWith('test/architecture/'))
    .flatMap((file) =>
      read(file)
        .split('\n')
        .flatMap((line, i) => (refersToDocument(line) ? [`${file}:${i + 1}: ${line.trim().slice(0, 120)}`] : [])),
    );
}
