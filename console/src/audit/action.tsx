import { useTexts } from '../i18n/use-texts.ts'
import { Named } from '../kit/show/named.tsx'
import { actionLabels } from './actions/action-labels.ts'

/** An action, in words and by its name. */
export function Action({ action }: { action: string }) {
  return <Named name={action} labels={useTexts(actionLabels)} />
}
