import { useTranslate } from 'react-admin'
import { AdminFault } from '../api/admin-fault.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { kitTexts } from './texts.ts'

/** The sentence for a failed call, in the user's language. `exact` may know a better one, as its text or as a key of the dictionaries. */
export type FaultSentence = (error: unknown, exact?: (fault: AdminFault) => string | undefined) => string

export function useFaultSentence(): FaultSentence {
  const texts = useTexts(kitTexts)
  const translate = useTranslate()
  return (error, exact) => {
    if (!(error instanceof AdminFault)) return texts.wentWrong
    const known = exact?.(error) ?? error.message
    return translate(known, { _: known })
  }
}
