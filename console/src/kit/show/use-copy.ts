import { useState } from 'react'
import { useNotify } from 'react-admin'
import { useTexts } from '../../i18n/use-texts.ts'
import { kitTexts } from '../texts.ts'

const SHOWN_MS = 2_000

/** Copies a text. `isCopied` is true for two seconds afterwards; a refusal of the browser is notified. */
export function useCopy(text: string): { copy: () => Promise<void>; isCopied: boolean } {
  const texts = useTexts(kitTexts)
  const notify = useNotify()
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setCopied(true)
      setTimeout(() => setCopied(false), SHOWN_MS)
    } catch {
      notify(texts.copyFailed, { type: 'warning' })
    }
  }
  return { copy, isCopied }
}
