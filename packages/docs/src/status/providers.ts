import { markdownItem } from '@pulsewire/kernel';
import { connectors, endingText, withoutConnector, type Connector } from '@pulsewire/providers';
import { providerNotes } from './provider-notes.ts';

function providerItem(connector: Connector): string {
  const { slug, resources, unavailableResources = {} } = connector;
  const ending = endingText(connector);
  const lines = [
    `[\`${slug}\`](../../providers/src/${slug}/README.md): ${providerNotes[slug] ?? 'undescribed'}.`,
    ...(ending === null ? [] : [`**${ending}.**`]),
    `Resources: ${Object.keys(resources).join(', ')}.`,
  ];
  const unread = Object.keys(unavailableResources);
  if (unread.length > 0) lines.push(`Not read: ${unread.join(', ')}.`);
  return markdownItem(lines.join(' '));
}

/** An item for each connector: how it is linked, whether it ends, what it reads and what it cannot read. */
export function providerList(): string {
  return connectors.map(providerItem).join('\n');
}

/** Sources without a sign-in: phones, Bluetooth meters and manual entry. */
export function ownSourceList(): string {
  return withoutConnector
    .map(({ slug, name, description, supportedResources }) => {
      const count = supportedResources.length;
      const resources = count > 5 ? `${count} resources` : supportedResources.join(', ');
      return markdownItem(`\`${slug}\` (${name}): ${description}${count > 0 ? `; ${resources}` : ''}.`);
    })
    .join('\n');
}
