import { describe, expect, it } from 'vitest';
import { buildDocument } from './build-document.ts';
import { initialsOf, renderLogo } from './logo.ts';
import { renderPage } from './page.ts';

describe('artwork', () => {
  it('shows initials of names with one word and several', () => {
    expect(['Fitbit', 'Google Fit', 'my_fitness_pal', 'X', ''].map(initialsOf)).toEqual(['FI', 'GF', 'MF', 'X', '?']);
  });

  it('is the same for the same provider and cannot be broken out of by a name', () => {
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
  it('moves titled schemas to one place, leaves different ones with one title alone, and relaxes defaults', () => {
    const user = { title: 'User', type: 'object', properties: { title: { type: 'string' } } };
    const collected = {
      paths: {
        '/a': {
          get: { parameters: [{ name: 'limit', required: true, schema: { type: 'integer', default: 5 } }], responses: { 200: user } },
        },
        '/b': { get: { responses: { 200: { ...user }, 201: { title: 'User', type: 'string' } } } },
      },
    };
    expect(buildDocument(collected)).toEqual({
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
});
