import { useTexts } from '../i18n/use-texts.ts'
import { Named } from '../kit/named.tsx'
import { deedWords } from './deed-words.ts'

/** What was done, in words and by its name. */
export function Deed({ action }: { action: string }) {
  return <Named name={action} words={useTexts(deedWords)} />
}
