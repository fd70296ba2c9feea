import { useState } from 'react'
import { useNotify, useRefresh } from 'react-admin'
import { AdminFault } from '../api/admin-fault.ts'
import { adminPath } from '../api/admin-http.ts'
import { useCallAdmin } from '../console-context.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { kitTexts } from '../kit/texts.ts'
import { useFaultSentence } from '../kit/use-fault-sentence.ts'
import type { ProductDetails } from './product.ts'

/** A change of a part of a product, and what became of the last one. */
export interface ProductChange {
  /** Sends fields; `seen` is the version that they were filled from. Answers whether it was done. */
  change: (fields: Record<string, unknown>, seen: string | undefined) => Promise<boolean>
  isBusy: boolean
  /** Why the last change failed. */
  fault: string | undefined
  /** The product as the last change that was done has left it. */
  answer: ProductDetails | undefined
}

/** Changes a part of a product from its own page. After a conflict the page shows the present state. */
export function useProductChange({ id }: Pick<ProductDetails, 'id'>): ProductChange {
  const texts = useTexts(kitTexts)
  const callAdmin = useCallAdmin()
  const sentenceOf = useFaultSentence()
  const notify = useNotify()
  const refresh = useRefresh()
  const [isBusy, setBusy] = useState(false)
  const [fault, setFault] = useState<string>()
  const [answer, setAnswer] = useState<ProductDetails>()
  const change = async (fields: Record<string, unknown>, seen: string | undefined) => {
    setBusy(true)
    setFault(undefined)
    try {
      setAnswer(await callAdmin<ProductDetails>({ path: adminPath('products', id), method: 'PATCH', body: fields, ifMatch: seen }))
      notify(texts.saved, { type: 'info' })
      refresh()
      return true
    } catch (error) {
      setFault(sentenceOf(error, ({ body }) => Object.values(body.errors)[0]))
      if (error instanceof AdminFault && error.status === 412) refresh()
      return false
    } finally {
      setBusy(false)
    }
  }
  return { change, isBusy, fault, answer }
}
