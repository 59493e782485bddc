import type { LinkPage } from '@pulsewire/connections';
import { codeStepView } from '../pages/code-step.ts';
import { emptyView, pickerView } from '../pages/picker.ts';
import { providerStepView } from '../pages/provider-step.ts';
import type { View } from '../pages/view.ts';
import type { Message } from '../messages/link-errors.ts';
import type { PageContext } from './context.ts';

export type OpenPage = Extract<LinkPage, { kind: 'open' }>;

export interface Choice {
  readonly token: string;
  /** The provider that the user chose. */
  readonly slug?: string | undefined;
  /** Show the list, whatever is in progress. */
  readonly isList?: boolean;
  /** Show the form, although a code is pending. */
  readonly isAgain?: boolean;
  readonly alert?: Message | null;
  readonly values?: Readonly<Record<string, string>>;
  readonly problems?: Readonly<Record<string, string>>;
}

/** The current step of an open session: the pending code, the chosen or only provider, else the list. */
export function openView({ links, places }: PageContext, page: OpenPage, choice: Choice): View {
  const { token, slug, isList = false, isAgain = false, alert = null } = choice;
  const { providers, mfa, teamName } = page;
  const connector = mfa === null || isList || isAgain ? undefined : links.connectorFor(mfa.provider);
  if (mfa !== null && connector) return codeStepView(places, { token, connector, challenge: mfa, alert });
  const [only] = providers;
  if (only === undefined) return emptyView(token);
  const provider = providers.length === 1 ? only : providers.find((one) => one.key === slug);
  if (provider === undefined || (isList && providers.length > 1)) return pickerView(places, { token, teamName, providers, alert });
  const { values = {}, problems = {} } = choice;
  return providerStepView(places, { token, teamName, provider, hasOthers: providers.length > 1, alert, values, problems });
}
