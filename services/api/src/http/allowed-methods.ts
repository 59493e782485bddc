import type { FastifyInstance } from 'fastify';
import type { Answer } from './route.ts';

function fits(template: readonly string[], path: readonly string[]): boolean {
  if (template.at(-1) === '*') return path.length >= template.length && fits(template.slice(0, -1), path.slice(0, template.length - 1));
  return template.length === path.length && template.every((part, i) => (part.startsWith(':') ? path[i] !== '' : part === path[i]));
}

const partsOf = (path: string) => path.replace(/(?<=.)\/$/, '').split('/');

/**
 * Notes the methods of every route that is added from now on, and gives the answer to a request that no route takes: 405 with `Allow` when
 * its path has other methods, else 404.
 */
export function createUnmatchedAnswer(app: FastifyInstance): (url: string) => Answer {
  const templates = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ url, method }) => {
    const methods = templates.get(url) ?? new Set();
    for (const one of [method].flat()) methods.add(one);
    templates.set(url, methods);
  });
  return (url) => {
    const path = partsOf(url.split('?', 1)[0] ?? '');
    const methods = [...templates].filter(([template]) => fits(partsOf(template), path)).flatMap(([, found]) => [...found]);
    if (methods.length === 0) return { status: 404, body: { detail: 'Not found' } };
    const allow = [...new Set(methods)].toSorted().join(', ');
    return { status: 405, headers: { allow }, body: { detail: `The method is not allowed here; allowed: ${allow}` } };
  };
}
