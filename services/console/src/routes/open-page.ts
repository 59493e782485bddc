import type { LinkPage } from '@pulsewire/connections';
import { codeStepView } from '../pages/code-step.ts';
import { emptyView, pickerView } from '../pages/picker.ts';
import { providerStepView } from '../pages/provider-step.ts';
import type { View } from '../pages/view.ts';
import type { Words } from '../words/link-errors.ts';
import type { PageContext } from './context.ts';

export type OpenPage = Extract<LinkPage, { kind: 'open' }>;

export interface Choice {
  readonly token: string;
  /** The provider that the person has chosen. */
  readonly slug?: string | undefined;
  /** The list is wanted, whatever is under way. */
  readonly isList?: boolean;
  /** The form is wanted, though a code is awaited. */
  readonly isAgain?: boolean;
  readonly alert?: Words | null;
  readonly values?: Readonly<Record<string, string>>;
  readonly problems?: Readonly<Record<string, string>>;
}

/** The step at which an open session is: the code that is awaited, the provider that was chosen or is the only one, else the list. */
export function openView({ links, places }: PageContext, page: OpenPage, choice: Choice): View {
  const { token, slug, isList = false, isAgain = false, alert = null } = choice;
  const { providers, mfa, teamName } = page;
  const connector = mfa === null || isList || isAgain ? undefined : links.connectorFor(mfa.provider);
  if (mfa !== null && connector) return codeStepView(places, { token, connector, method: mfa.method, hint: mfa.hint, alert });
  const [only] = providers;
  if (only === undefined) return emptyView(token);
  const provider = providers.length === 1 ? only : providers.find((one) => one.key === slug);
  if (provider === undefined || (isList && providers.length > 1)) return pickerView(places, { token, teamName, providers, alert });
  const { values = {}, problems = {} } = choice;
  return providerStepView(places, { token, teamName, provider, hasOthers: providers.length > 1, alert, values, problems });
}
