import { useTexts } from '../i18n/use-texts.ts'
import { Named } from '../kit/show/named.tsx'
import { actionWords } from './action-words.ts'

/** What was done, in words and by its name. */
export function Action({ action }: { action: string }) {
  return <Named name={action} words={useTexts(actionWords)} />
}
