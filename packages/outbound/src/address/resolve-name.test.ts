import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createNameResolver, findInHosts } from './resolve-name.ts';

const hosts = `
127.0.0.1\tlocalhost
10.0.0.7  hook.example.org hook # of the compose file
# 10.0.0.8 commented.example.org
fd00::7   HOOK.example.org
not-an-address other.example.org
`;

describe('findInHosts', () => {
  it('returns the addresses of every line that lists the name, ignoring case', () => {
    expect(findInHosts(hosts, 'Hook.Example.org')).toEqual(['10.0.0.7', 'fd00::7']);
    for (const name of ['commented.example.org', 'other.example.org', 'of', 'example.org', ''])
      expect(findInHosts(hosts, name)).toEqual([]);
  });
});

describe('createNameResolver', () => {
  it('uses the hosts file without a DNS query, with or without the trailing dot', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'hosts-'));
    try {
      await writeFile(join(folder, 'hosts'), hosts);
      // Nothing listens there, so any query fails.
      const resolve = createNameResolver({ hostsFile: join(folder, 'hosts'), servers: ['127.0.0.1:9'], timeoutMs: 100 });
      expect(await resolve('hook.example.org.')).toEqual(['10.0.0.7', 'fd00::7']);
      await expect(resolve('elsewhere.example.org')).rejects.toThrow();
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('resolves local network names through the system, also without a hosts file', async () => {
    const resolve = createNameResolver({ hostsFile: '/does/not/exist', servers: ['127.0.0.1:9'] });
    expect(await resolve('localhost')).toContain('127.0.0.1');
  });
});
