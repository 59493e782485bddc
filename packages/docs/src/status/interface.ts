import { markdownItem } from '@pulsewire/kernel';
import { areas, type Area } from './areas.ts';

/** The part of an OpenAPI document that names its operations. */
export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

const methods = ['get', 'post', 'put', 'patch', 'delete'];

/** Typed paths of one shape are listed once: there is one for each series. */
function shapeOf(path: string): string {
  return path.replace(/^(\/v2\/timeseries\/\{user_id\}\/)\w+(?=\/|$)/, '$1{resource}');
}

/** The area of a path; undefined when no area has it. */
export function areaOf(path: string): Area | undefined {
  return areas.find(({ paths }) => paths.test(path));
}

/** The operations of an area, a text per path: `GET, POST /v2/user`. */
export function operationsOf(area: Area, { paths }: OpenApi): readonly string[] {
  const own = Object.entries(paths).filter(([path]) => areaOf(path) === area);
  const texts = own.map(([path, operations]) => {
    const names = methods.filter((method) => method in operations).map((method) => method.toUpperCase());
    return `\`${names.join(', ')} ${shapeOf(path)}\``;
  });
  return [...new Set(texts)];
}

/** A section for each area: what works, what is missing, its operations. */
export function interfaceSections(document: OpenApi): string {
  const sections = areas.map((area) =>
    [
      `### ${area.title}`,
      '',
      ...(area.notes === undefined ? [] : [markdownItem(area.notes)]),
      ...(area.missing === undefined ? [] : [markdownItem(`**Missing**: ${area.missing}.`)]),
      markdownItem(`Operations: ${operationsOf(area, document).join(', ')}.`),
    ].join('\n'),
  );
  return sections.join('\n\n');
}
