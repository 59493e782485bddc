import { describe, expect, it } from 'vitest';
import { Compile } from 'typebox/schema';
import { eventFamilies, namedSampleSchema, resources, schemaExamples, titleOf } from '@pulsewire/contract';
import { buildDocument } from './build-document.ts';
import { hoistRepeated } from './hoist-repeated.ts';
import { webhooksSection } from './webhooks-section.ts';
import { initialsOf, renderLogo } from './logo.ts';
import { renderPage } from './page.ts';

describe('artwork', () => {
  it('shows the initials of names with one or several words', () => {
    expect(['Fitbit', 'Google Fit', 'my_fitness_pal', 'X', ''].map(initialsOf)).toEqual(['FI', 'GF', 'MF', 'X', '?']);
  });

  it('is the same for the same provider, and escapes the name', () => {
    const logo = renderLogo({ slug: 'a', name: '<script>"' });
    expect(logo).toBe(renderLogo({ slug: 'a', name: '<script>"' }));
    expect(logo).not.toContain('<script>');
  });
});

describe('pages', () => {
  it('escape their text', () => {
    const { body } = renderPage({ status: 400, title: 't', heading: '<b>', paragraphs: ['"x" & <img>'] });
    expect(body).toContain('&lt;b&gt;');
    expect(body).not.toContain('<img>');
  });
});

describe('the document', () => {
  it('hoists titled schemas, except different ones with the same title, and relaxes defaults', () => {
    const user = { title: 'User', type: 'object', properties: { title: { type: 'string' } } };
    const collected = {
      paths: {
        '/a': {
          get: { parameters: [{ name: 'limit', required: true, schema: { type: 'integer', default: 5 } }], responses: { 200: user } },
        },
        '/b': { get: { responses: { 200: { ...user }, 201: { title: 'User', type: 'string' } } } },
      },
    };
    expect(buildDocument(collected)).toMatchObject({
      components: { schemas: { User: user } },
      paths: {
        '/a': {
          get: {
            parameters: [{ name: 'limit', required: false, schema: { type: 'integer', default: 5 } }],
            responses: { 200: { $ref: '#/components/schemas/User' } },
          },
        },
        '/b': { get: { responses: { 200: { $ref: '#/components/schemas/User' }, 201: { title: 'User', type: 'string' } } } },
      },
    });
  });

  it('keeps error responses and parameters that operations share in components', () => {
    const id = { name: 'user_id', in: 'path', required: true, schema: { type: 'string' } };
    const missing = { description: 'Not found.' };
    const operation = () => ({ get: { parameters: [{ ...id }], responses: { 200: { description: 'Read.' }, 404: { ...missing } } } });
    const other = { get: { parameters: [{ ...id, schema: { type: 'integer' } }], responses: { 404: { description: 'No such thing.' } } } };
    expect(hoistRepeated({ paths: { '/a': operation(), '/b': operation(), '/c': other } })).toEqual({
      components: { responses: { NotFound: missing }, parameters: { UserIdPath: id } },
      paths: {
        '/a': {
          get: {
            parameters: [{ $ref: '#/components/parameters/UserIdPath' }],
            responses: { 200: { description: 'Read.' }, 404: { $ref: '#/components/responses/NotFound' } },
          },
        },
        '/b': {
          get: {
            parameters: [{ $ref: '#/components/parameters/UserIdPath' }],
            responses: { 200: { description: 'Read.' }, 404: { $ref: '#/components/responses/NotFound' } },
          },
        },
        '/c': other,
      },
    });
  });

  it('lists every event type that has a schema under webhooks, with a body and a valid example', () => {
    const { webhooks, requestBodies } = webhooksSection();
    expect(Object.keys(webhooks).toSorted()).toEqual(eventFamilies.flatMap(({ eventTypes }) => eventTypes).toSorted());
    const bodies = Object.values(requestBodies) as { content: { 'application/json': { schema: object; example: unknown } } }[];
    const misfits = bodies.filter(({ content: { 'application/json': body } }) => !Compile(body.schema).Check(body.example));
    expect(misfits).toEqual([]);
  });

  it('has an example of every summary and of a sample of every series, with its unit', () => {
    const examples = schemaExamples();
    const found = resources.map((resource) => {
      if (resource.kind === 'summary') return typeof examples.get(titleOf(resource.schema) ?? '');
      if (resource.kind === 'timeseries') return examples.get(titleOf(namedSampleSchema(resource)) ?? '');
      return 'no shape';
    });
    const expected = resources.map((resource) => {
      if (resource.kind === 'summary') return 'object';
      if (resource.kind === 'timeseries') return expect.objectContaining({ unit: resource.unit }) as unknown;
      return 'no shape';
    });
    expect(found).toEqual(expected);
  });
});
