import type { FastifyInstance } from 'fastify';
import type { RouteResponse } from '../../route/route.ts';

type Parts = readonly string[];

const isVariable = (part: string | undefined) => part?.startsWith(':') === true;

function fits(template: Parts, path: Parts): boolean {
  if (template.at(-1) === '*') return path.length >= template.length && fits(template.slice(0, -1), path.slice(0, template.length - 1));
  return template.length === path.length && template.every((part, i) => (isVariable(part) ? path[i] !== '' : part === path[i]));
}

/** Whether the first of two templates that match a path is more specific, compared from the left. */
function isMoreSpecific(one: Parts, other: Parts): boolean {
  const at = one.findIndex((part, i) => isVariable(part) !== isVariable(other[i]));
  return at !== -1 && !isVariable(one[at]);
}

const partsOf = (path: string) => path.replace(/(?<=.)\/$/, '').split('/');
const pathOf = (url: string) => partsOf(url.split('?', 1)[0] ?? '');

export interface AllowedMethods {
  /** The response to a request that no route matches: 405 with `Allow` when its path has other methods, else 404. */
  unmatched(url: string): RouteResponse;
  /**
   * Whether the matched route would read a fixed segment of another path as a value: `/user/metrics` is not the user `metrics`. The
   * document states the same: of the matching paths, the one with fewer variables counts.
   */
  isOfAnotherPath(request: { readonly method: string; readonly url: string; readonly template: string | undefined }): boolean;
}

/** Records the methods of every route that is added from now on. */
export function createAllowedMethods(app: FastifyInstance): AllowedMethods {
  const templates = new Map<string, { readonly parts: Parts; readonly methods: Set<string> }>();
  app.addHook('onRoute', ({ url, method }) => {
    const template = templates.get(url) ?? { parts: partsOf(url), methods: new Set() };
    for (const one of [method].flat()) template.methods.add(one);
    templates.set(url, template);
  });

  // By method and template; few routes have any, so most requests cost one lookup.
  const others = new Map<string, readonly Parts[]>();
  function othersOf(method: string, template: string): readonly Parts[] {
    const name = `${method} ${template}`;
    const own = partsOf(template);
    const found =
      others.get(name) ??
      [...templates.values()]
        .filter(({ parts, methods }) => !methods.has(method) && parts.length === own.length && isMoreSpecific(parts, own))
        .map(({ parts }) => parts);
    others.set(name, found);
    return found;
  }

  return {
    unmatched(url) {
      const path = pathOf(url);
      const fitting = [...templates.values()].filter(({ parts }) => fits(parts, path));
      const most = fitting.filter(({ parts }) => !fitting.some((other) => isMoreSpecific(other.parts, parts)));
      if (most.length === 0) return { status: 404, body: { detail: 'Not found' } };
      const allow = [...new Set(most.flatMap(({ methods }) => [...methods]))].toSorted().join(', ');
      return { status: 405, headers: { allow }, body: { detail: `Method not allowed; allowed: ${allow}` } };
    },
    isOfAnotherPath({ method, url, template }) {
      if (template === undefined) return false;
      return othersOf(method, template).some((parts) => fits(parts, pathOf(url)));
    },
  };
}
