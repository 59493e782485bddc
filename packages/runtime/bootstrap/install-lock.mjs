import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const heartbeatMs = 2000;
const silentMaxMs = 30_000;
const pollMs = 200;

function tryLock(folder) {
  try {
    mkdirSync(folder);
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
  writeFileSync(join(folder, 'owner'), JSON.stringify({ pid: process.pid, host: hostname(), token: randomUUID() }));
  return true;
}

function beat(folder) {
  try {
    utimesSync(folder, new Date(), new Date());
  } catch {
    // The lock was taken over because this process was suspended too long; a second concurrent install does no harm.
  }
}

function readOwner(folder) {
  try {
    return JSON.parse(readFileSync(join(folder, 'owner'), 'utf8'));
  } catch {
    // Not written yet, or just removed.
    return undefined;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function silentMs(folder) {
  try {
    return Date.now() - statSync(folder).mtimeMs;
  } catch {
    return 0;
  }
}

/** Moves a stale lock out of the way. The new name contains the owner's token, so that only this lock can be moved there, and only once. */
function removeIfStale(folder) {
  const owner = readOwner(folder);
  const isDead = owner !== undefined && owner.host === hostname() && !isAlive(owner.pid);
  if (!isDead && silentMs(folder) < silentMaxMs) return;
  try {
    renameSync(folder, `${folder}.stale-${owner?.token ?? 'unowned'}`);
  } catch {
    // Another waiting process was faster.
  }
}

function removeStaleFolders(folder) {
  for (const name of readdirSync(dirname(folder))) {
    if (name.startsWith(`${basename(folder)}.stale-`)) rmSync(join(dirname(folder), name), { recursive: true, force: true });
  }
}

/** Runs `work` in one process at a time. The lock of a crashed process is taken over within 30 seconds. */
export async function withInstallLock(folder, say, work) {
  let hasSaid = false;
  while (!tryLock(folder)) {
    if (!hasSaid) say('Another start is installing the dependencies; waiting for it.');
    hasSaid = true;
    removeIfStale(folder);
    await delay(pollMs);
  }
  const heartbeat = setInterval(() => beat(folder), heartbeatMs);
  try {
    return await work();
  } finally {
    clearInterval(heartbeat);
    removeStaleFolders(folder);
    rmSync(folder, { recursive: true, force: true });
  }
}
