import { expect, it } from 'vitest';
import { namedWriters, writerOf } from './source.ts';
import type { PhoneWriter } from './types.ts';

const appleWatch = { deviceManufacturer: 'Apple Inc.', deviceModel: 'Watch7,5', deviceSoftwareVersion: '11.0' };
const applePhone = { deviceManufacturer: 'Apple Inc.', deviceModel: 'iPhone15,2', deviceSoftwareVersion: '18.1' };
const inExport = (name: string, version: string | null, device: object = {}) => ({ appId: null, name, version, ...device });
const known: readonly PhoneWriter[] = [
  { name: "Robin's Watch", appId: 'com.apple.health', type: 'watch' },
  { name: 'Rider', appId: 'com.example.rider', type: 'phone' },
  { name: 'Strider', appId: 'com.example.strider', type: 'phone' },
  { name: 'Strider', appId: 'com.example.strider.watchkitapp', type: 'watch' },
];

it.each([
  ['a watch', { appId: 'com.apple.health.5F0E', deviceModel: 'Watch7,5' }, 'com.apple.health', 'watch'],
  ['an app', { appId: 'com.example.rider', deviceType: 'phone', deviceModel: 'iPhone15,2' }, 'com.example.rider', 'phone'],
  [
    'the first SDKs',
    { bundleIdentifier: 'com.example.rider', productType: 'Watch6,2', deviceModel: 'Watch' },
    'com.example.rider',
    'watch',
  ],
  ['another app of Apple', { appId: 'com.apple.healthy', deviceType: null }, 'com.apple.healthy', 'unknown'],
])('names what %s wrote, as a phone sends it', (_, source, appId, type) => {
  expect(writerOf(source, 'apple_health_kit', known)).toEqual({ appId, type });
});

it.each([
  ["a watch's own data", inExport('Ann’s Watch', '11.0', appleWatch), 'com.apple.health', 'watch'],
  ["an iPhone's own data", inExport('Ann’s iPhone', '18.1', applePhone), 'com.apple.health', 'phone'],
  ['what an app recorded on a watch', inExport('WorkOuts', '4127', appleWatch), 'WorkOuts', 'watch'],
  ['a scale of another maker', inExport('Scale', '6.1', { deviceManufacturer: 'Example', deviceModel: '5' }), 'Scale', 'phone'],
  ['an app that states no device', inExport('Dozer', '12'), 'Dozer', 'phone'],
  ['a watch that the phone has named', inExport('Robin’s watch', '11.0', { deviceManufacturer: 'Polar' }), 'com.apple.health', 'watch'],
  ['an app that the phone has named', inExport('RIDER', '3'), 'com.example.rider', 'phone'],
  ['an app on the device where the phone has named it', inExport('Strider', '3', appleWatch), 'com.example.strider.watchkitapp', 'watch'],
  ['an app that has two bundle ids, of no device', inExport('Strider', '3'), 'Strider', 'phone'],
])('gives %s in an export the same identity', (_, source, appId, type) => {
  expect(writerOf(source, 'apple_health_kit', known)).toEqual({ appId, type });
});

it('learns names from phones only, and of HealthKit only', () => {
  const items = [
    { source: { appId: 'com.apple.health.1', name: 'Watch', deviceType: 'watch' } },
    { source: { appId: 'com.apple.health.2', name: 'watch', deviceType: 'watch' } },
    { source: { appId: 'com.example.old', deviceType: 'phone' } },
    { source: inExport('Dozer', '12') },
    'nonsense',
  ];
  expect(namedWriters(items, 'apple_health_kit')).toEqual([{ name: 'watch', appId: 'com.apple.health', type: 'watch' }]);
  expect(namedWriters(items, 'health_connect')).toEqual([]);
});
