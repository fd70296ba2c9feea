import { useTranslate } from 'react-admin'
import { AdminFault } from '../api/admin-fault.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { kitTexts } from './texts.ts'

/** The sentence for a failed call, in the user's language. */
export function useFaultSentence(): (error: unknown) => string {
  const texts = useTexts(kitTexts)
  const translate = useTranslate()
  return (error) => (error instanceof AdminFault ? translate(error.message) : texts.failed)
}
