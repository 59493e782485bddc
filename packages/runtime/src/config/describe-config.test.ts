import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { configHelp, configList, summarizeConfig } from './describe-config.ts';
import { defineConfig } from './fields.ts';
import { loadConfig } from './load-config.ts';

const fields = defineConfig({
  port: { env: 'PORT', schema: Type.Integer({ minimum: 0, default: 8080 }), description: 'Port of the API.' },
  timeoutMs: { env: 'CALL_TIMEOUT_MS', schema: Type.Integer({ minimum: 0, default: 500 }), unit: 'ms', description: 'Deadline of a call.' },
  mode: { env: 'MODE', schema: Type.Enum(['on', 'off'], { default: 'on' }), description: 'Mode.' },
  baseUrl: { env: 'BASE_URL', schema: Type.Optional(Type.String()), description: 'Own address.' },
  apiKey: { env: 'TEAM_API_KEY', schema: Type.Optional(Type.String()), secret: true, defaultText: 'made once', description: 'Key.' },
});

describe('the description of a configuration', () => {
  it('shows no secret, and no credentials of a URL', () => {
    const summary = summarizeConfig(fields, loadConfig(fields, { TEAM_API_KEY: 'sk_live_1', BASE_URL: 'https://ann:pw@host/x?key=1' }));
    expect(summary).toMatchObject({ PORT: 8080, TEAM_API_KEY: 'set', BASE_URL: 'https://[hidden]@host/x?key=[hidden]' });
    expect(JSON.stringify(summary)).not.toMatch(/sk_live_1|pw|key=1/);
  });

  it('is a Markdown list with one item per variable', () => {
    expect(configList(fields).split('\n')).toEqual([
      '- `PORT`, default `8080`: Port of the API.',
      '- `CALL_TIMEOUT_MS`, default `500`: Deadline of a call. (ms)',
      '- `MODE`, default `on`: Mode. (on or off)',
      '- `BASE_URL`, default none: Own address.',
      '- `TEAM_API_KEY`, default made once: Key. (secret; also as a file)',
    ]);
  });

  it('is a list with one line per variable at a terminal, in groups', () => {
    const { port, ...others } = fields;
    expect(
      configHelp([
        ['Own', { port }],
        ['Others', others],
      ])
        .split('\n')
        .slice(0, 5),
    ).toEqual(['Own:', '  PORT             Port of the API. [8080]', '', 'Others:', '  CALL_TIMEOUT_MS  Deadline of a call. (ms) [500]']);
  });
});
